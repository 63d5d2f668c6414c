import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createSampleContent } from '../../../../src/docks/events/rules/sample-content'
import { bodyVariables, fillBody, findBodyError, toBodyValues } from '../../../../src/docks/events/rules/text-message'

const names = Object.keys(bodyVariables) as (keyof typeof bodyVariables)[]
const valuesOf = (value: string) =>
  Object.fromEntries(names.map((name) => [name, value])) as Record<keyof typeof bodyVariables, string>
/** Half of a character cannot be encoded. */
const toWellFormed = (text: string) => Buffer.from(text).toString()
const list = (name: string) => `{{${name}}}`

const hostile = [
  '","admin":true,"x":"',
  '\\',
  '\n\r\t\u0000',
  '\u2028\u2029',
  '&To=%2B15005550199',
  '{{phone}}',
  '%00%26',
  'a+b = c',
  'é😀\ud800',
]

describe('the body of a text message', () => {
  it.each(hostile)('holds any value as a text of JSON: %j', (value) => {
    const body = fillBody(
      `{"all":[${names.map((name) => `"${list(name)}"`).join()}],"n":12345678901234567890}`,
      valuesOf(value),
    )
    expect(JSON.parse(body).all).toEqual(names.map(() => value))
    expect(body).toContain('"n":12345678901234567890')
  })

  it.each(hostile)('holds any value as a field of a form: %j', (value) => {
    const body = fillBody(names.map((name) => `${name}=${list(name)}`).join('&'), valuesOf(value))
    expect([...new URLSearchParams(body)]).toEqual(names.map((name) => [name, toWellFormed(value)]))
  })

  it('has one message, whatever the values are', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (value) => {
        expect(JSON.parse(fillBody('[{"{{phone}}":"<{{text}}>"}]', valuesOf(value)))).toEqual([
          { [value]: `<${value}>` },
        ])
        const form = [
          ...new URLSearchParams(fillBody('To={{phone}}&Body=<{{text}}>'.replace(/[<>]/g, '-'), valuesOf(value))),
        ]
        expect(form).toEqual([
          ['To', toWellFormed(value)],
          ['Body', `-${toWellFormed(value)}-`],
        ])
      }),
    )
  })

  it.each([
    '{"to":"{{phone}}"}',
    ' [ {"a": {"b": ["{{ phone_digits }}"]}} ] ',
    '{\n  "to": ["{{phone}}"],\n  "ttl": 3600\n}',
    'To={{phone}}',
    'To={{phone}}&From=%2B15005550006&Body={{text}}',
  ])('can be %j', (template) => {
    expect(findBodyError(template)).toBeNull()
  })

  it.each([
    ['{"to":"{{text}}"}', 'must contain {{phone}} or {{phone_digits}}'],
    ['{"to":"{{fone}}"}', 'has the unknown variable {{fone}}: the variables are {{phone}}, {{phone_digits}}, {{text}}'],
    ['{"to":"{{phone}}","x":"{{details}}"}', 'has the unknown variable {{details}}'],
    ['{"to":"{{phone"}', 'has {{ without }}'],
    ['{"to":{{phone}}}', 'write each variable between quotes'],
    ['{"to":"{{phone}}",}', 'is not valid JSON'],
    ['{"to":"\\{{phone}}"}', 'is not valid JSON'],
    ['{"to":"{{phone}}","x":"\\u00{{text}}"}', 'is not valid JSON'],
    ['{"a":"{{","b":"phone}}"}', 'has the unknown variable'],
    ['"to":"{{phone}}"', 'must be JSON, which begins with { or ['],
    ['To={{phone}}&From=+15005550006', 'write %2B for + and %20 for a space'],
    ['To={{phone}}&From=Dock office', 'write %2B for + and %20 for a space'],
    ['To={{phone}}\nBody={{text}}', 'must be JSON'],
    ['To=%2{{phone}}', 'must be JSON'],
    ['{{phone}}', 'begins as JSON'],
    ['To{{phone}}', 'must be JSON'],
    ['To={{phone}}&&Body={{text}}', 'must be JSON'],
    ['<to>{{phone}}</to>', 'must be JSON'],
  ])('cannot be %j', (template, error) => {
    expect(findBodyError(template)).toContain(error)
  })
})

describe('the message', () => {
  const phone = '+15005550100'
  const offer = createSampleContent('offer')

  it('is the subject, and for an offer also the link to accept it', () => {
    const subject = 'Booked: PO-1001'
    expect(toBodyValues(createSampleContent('booked'), { subject, phone })).toMatchObject({
      text: subject,
      phone,
      phone_digits: '15005550100',
      reference: 'PO-1001',
      accept_link: '',
    })
    expect(toBodyValues(offer, { subject: 'Slot', phone }).text).toBe('Slot Accept: https://studio.example.com/accept')
  })

  it('has the link once if the subject has it', () => {
    const subject = `Yes: ${offer.values.accept_link}`
    expect(toBodyValues(offer, { subject, phone }).text).toBe(subject)
  })

  it('has no link if there is none', () => {
    const none = {
      ...offer,
      values: { ...offer.values, accept_link: 'please tell the site', decline_link: 'please tell the site' },
    }
    expect(toBodyValues(none, { subject: 'Slot', phone })).toMatchObject({
      text: 'Slot',
      accept_link: '',
      decline_link: '',
    })
  })

  it('is cut after 300 characters, but not within a character or a link', () => {
    const { text } = toBodyValues(offer, { subject: '😀'.repeat(400), phone })
    expect(text).toBe(`${'😀'.repeat(297)}... Accept: ${offer.values.accept_link}`)
    const linked = `${'x'.repeat(300)} ${offer.values.decline_link}`
    expect(toBodyValues(offer, { subject: linked, phone }).text).toBe(`${linked} Accept: ${offer.values.accept_link}`)
  })
})
