import fc from 'fast-check'
import { expect, it } from 'vitest'
import { findSecrets } from '../../../src/sanitize/rules/redact/find-secrets'
import { findCredentialParameters } from '../../../src/sanitize/rules/redact/passwords/credential-parameters'
import { findEmails } from '../../../src/sanitize/rules/redact/people/emails'
import { findPercentEncoded } from '../../../src/sanitize/rules/redact/percent-encoded'
import { isHarmless } from '../../../src/sanitize/rules/redact/tokens/harmless'
import rules from '../../../src/sanitize/rules/redact/tokens/secret-rules.json'
import { secretExamples } from './secret-examples'

/** What any rule finds in a text of a log or in a part of an address. */
const found = (text: string) => [
  ...[false, true].flatMap((isCode) =>
    [text, `url:${text}`].flatMap((t) => findSecrets({ text: t, isCode: () => isCode })),
  ),
  ...findCredentialParameters(text),
  ...findPercentEncoded({ text, isCode: () => false }, (decoded) => findCredentialParameters(decoded.text)),
  ...findEmails(text),
]

/** Fails if the quick test would hide what a rule finds. */
function expectNothingHidden(text: string): void {
  if (isHarmless(text)) expect(found(text), text).toEqual([])
}

it('no example of a secret is harmless, wherever it is', () => {
  const around = ['', '/', '/api/', 'a', '1', '?x=', '/a.b/', '/8c8c7d32-6b1b-47f4-b2e9-30b477b5ab3d/']
  for (const { text, secret } of Object.values(secretExamples)) {
    expect(isHarmless(text), text).toBe(false)
    const base64 = Buffer.from(text).toString('base64')
    for (const written of [text, secret, encodeURIComponent(text), base64])
      for (const before of around) for (const after of around) expectNothingHidden(before + written + after)
  }
})

it('a text that a rule of a vendor matches is not harmless', () => {
  const matching = (pattern: string) => fc.stringMatching(new RegExp(`^(?:${pattern.replaceAll('\\b', '')})$`))
  const tokens = fc.oneof(...rules.tokens.map(({ pattern }) => matching(pattern)))
  fc.assert(
    fc.property(tokens, fc.constantFrom('', '/', '/1/', '/a/b-2/', '/x.y/'), (token, before) => {
      expectNothingHidden(before + token)
      expectNothingHidden(`${before}${token}/1`)
    }),
    { numRuns: 2_000 },
  )
})

it('no rule finds anything in a harmless text', () => {
  const pieces = fc.constantFrom(
    ...['password', 'pwd', 'pw', 'pass', 'token', 'secret', 'key', 'api-key', 'sig', 'sas', 'jwt', 'session', 'auth'],
    ...[
      'bearer',
      'basic',
      'hook',
      'hooks',
      'webhook',
      'user',
      'is',
      'for',
      'xoxb-',
      'whsec_',
      'glc_',
      'hvs.',
      'ey',
      'AT',
    ],
    ...[
      '8c8c7d32-6b1b-47f4-b2e9-30b477b5ab3d',
      'hunter2',
      'tulips',
      'a1b2c3d4e5',
      'abcdefghijklmn',
      'x.example',
      'com',
    ],
    ...['cHdkPWExYjJj', 'dXNlcjpwYXNz', 'T01B02', '123456789012', 'deadbeef', '{id}', '.css', '@', '%40', '%3a', 'AA'],
    ...['/', '/', '/', ':', '=', '-', '_', '.', '?', '&', ' ', '\n', '\t', '#', '2', 'Z', '"', '\\'],
  )
  const text = fc.oneof(
    fc.array(pieces, { maxLength: 8 }).map((parts) => parts.join('')),
    fc
      .array(fc.oneof(pieces, fc.stringMatching(/^[a-z\d_-]{0,15}$/)), { maxLength: 6 })
      .map((parts) => `/${parts.join('/')}`),
    fc.stringMatching(/^[\w./?&=#-]{1,14}$/),
    fc.stringMatching(/^[a-z\d:.-]{1,40}$/),
  )
  let harmless = 0
  fc.assert(
    fc.property(text, (written) => {
      if (!isHarmless(written)) return
      harmless++
      expectNothingHidden(written)
    }),
    { numRuns: 20_000 },
  )
  expect(harmless).toBeGreaterThan(1_000)
})

it.each([
  '/api/stories/41',
  '/api/stories/{id}/history',
  '/api/reporting/leadership-summary',
  '/api/facilities/8c8c7d32-6b1b-47f4-b2e9-30b477b5ab3d/slots',
  '/api/appointments/auto-schedule',
  'token 8c8c7d32-6b1b-47f4-b2e9-30b477b5ab3d',
  '8C8C7D32-6B1B-47F4-B2E9-30B477B5AB3D',
  '127.0.0.1',
  '::ffff:127.0.0.1',
  'invalid_request',
  'GET',
  'request',
])('the usual texts of a log are harmless: %s', (text) => expect(isHarmless(text)).toBe(true))
