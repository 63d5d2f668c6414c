import { describe, expect, it } from 'vitest'
import { findTemplateError, splitTemplate } from '../../../../src/docks/events/rules/template-text'

describe('a template', () => {
  it('is split into texts and variables, with or without spaces in the braces', () => {
    expect(splitTemplate('PO {{reference}} at {{ door }}!')).toEqual([
      'PO ',
      { variable: 'reference' },
      ' at ',
      { variable: 'door' },
      '!',
    ])
  })

  it('can have single braces, and closing ones without opening ones', () => {
    expect(splitTemplate('{a} }} {')).toEqual(['{a} }} {'])
    expect(findTemplateError('{a} }} {', ['door'])).toBeNull()
  })

  it('with an unknown variable or one without an end is refused, with the list', () => {
    const list = 'the variables are {{door}}, {{start}}'
    const refuse = (template: string) => findTemplateError(template, ['door', 'start'])
    expect(refuse('At {{dor}}')).toBe(`has the unknown variable {{dor}}: ${list}`)
    expect(refuse('At {{}}')).toBe(`has the unknown variable {{}}: ${list}`)
    expect(refuse('At {{constructor}}')).toContain('has the unknown variable {{constructor}}')
    expect(refuse('At {{door}} {{start')).toBe(`has {{ without }}: ${list}`)
    expect(refuse('At {{door}}, {{start}}')).toBeNull()
  })

  it('cannot become a mail of any size', () => {
    expect(findTemplateError('{{door}}'.repeat(30), ['door'])).toBeNull()
    expect(findTemplateError('{{door}}'.repeat(31), ['door'])).toBe('must have at most 30 variables')
  })
})
