import { describe, expect, it } from 'vitest'
import { gateTexts, preferLanguage } from '../../../src/console/gate/gate-language'

const placeholders = (text: string) => text.match(/\{\w+\}/g) ?? []

describe('the texts of the check-in page', () => {
  it.each(Object.entries(gateTexts))('%s has all texts, with the same placeholders', (_, texts) => {
    expect(Object.keys(texts).sort()).toEqual(Object.keys(gateTexts.en).sort())
    for (const [name, text] of Object.entries(texts)) {
      expect(text.trim(), name).toBe(text)
      expect(text, name).not.toBe('')
      expect(placeholders(text), name).toEqual(placeholders(gateTexts.en[name as keyof typeof gateTexts.en]))
    }
  })

  it.each(Object.entries(gateTexts).filter(([name]) => name !== 'en'))('%s is translated', (_, texts) => {
    for (const [name, text] of Object.entries(texts))
      expect(text, name).not.toBe(gateTexts.en[name as keyof typeof gateTexts.en])
  })
})

describe('the language of a browser', () => {
  it.each([
    ['de-AT,de;q=0.9,en;q=0.8', 'de'],
    ['cs,pl;q=0.8,en;q=0.5', 'pl'],
    ['en;q=0.1, FR;q=0.9', 'fr'],
    ['es', 'es'],
    ['de;q=0, pl;q=0.2', 'pl'],
    ['it', 'en'],
    ['*', 'en'],
    ['', 'en'],
    [undefined, 'en'],
    ['constructor', 'en'],
    [`${'x,'.repeat(5_000)}de`, 'en'],
  ])('%s: %s', (header, language) => {
    expect(preferLanguage(header)).toBe(language)
  })
})
