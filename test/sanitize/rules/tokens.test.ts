import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { deriveSecretRules } from '../../../src/sanitize/gitleaks/derive-rules'
import { entropyOf, isRandomText } from '../../../src/sanitize/rules/redact/tokens/random-text'
import rules from '../../../src/sanitize/rules/redact/tokens/secret-rules.json'
import { findTokens } from '../../../src/sanitize/rules/redact/tokens/tokens'
import { counts, fromHtml, fromLine, fromMarkdown } from './context'
import { fake, HEX } from './fake-secrets'

const MARK = '[secret removed]'
const CAPITALS = 'A1B2C3D4E5F6G7H8J9KLMN0PQRSTUVWX'

describe('the gitleaks rules', () => {
  it('are derived from the gitleaks file in the source tree', () => {
    const source = readFileSync('src/sanitize/gitleaks/gitleaks.toml', 'utf8')
    const derived = readFileSync('src/sanitize/rules/redact/tokens/secret-rules.json', 'utf8')
    expect(JSON.parse(derived)).toEqual(deriveSecretRules(source))
  })

  it.each(rules.tokens)('$id finds text that matches its pattern', ({ pattern, entropy }) => {
    fc.assert(
      fc.property(fc.stringMatching(new RegExp(`^(?:${pattern.replaceAll('\\b', '')})$`)), (token) => {
        fc.pre(
          (/\d/.test(token) || (/[A-Za-z]{32}/.test(token) && entropyOf(token) >= 4)) &&
            entropyOf(token) >= entropy &&
            token.length >= 15,
        )
        expect(findTokens(`use ${token} now`)).toContainEqual({ start: 4, end: 4 + token.length, kind: 'token' })
      }),
      { numRuns: 10 },
    )
  })

  it.each(rules.labelled)('$id finds a value after the name of its vendor', ({ hints, label, value, entropy }) => {
    const names = hints.filter((hint) => new RegExp(`^(?:${label})$`, 'i').test(nameOf(hint)))
    fc.assert(
      fc.property(
        fc.stringMatching(new RegExp(`^(?:${value.replaceAll('\\w', 'A-Za-z0-9_')})$`)),
        fc.constantFrom(...names),
        (token, name) => {
          fc.pre(isRandomText(token) && entropyOf(token) >= entropy)
          const [found] = findTokens(`the ${nameOf(name)}: ${token} now`)
          expect(found?.end).toBe(`the ${nameOf(name)}: ${token}`.length)
        },
      ),
      { numRuns: 10 },
    )
  })
})

const nameOf = (hint: string) => (/^(?:snyk|sonar)$/.test(hint) ? `${hint}_token` : hint)

describe('a token of any vendor: a prefix that looks familiar, then random characters', () => {
  it.each([
    ['gsk', '_', fake('', 52)],
    ['xai', '-', fake('', 80)],
    ['sk-or-v1', '-', fake('', 64, HEX)],
    ['sbp', '_', fake('', 40, HEX)],
    ['sb_secret', '_', `${fake('', 22)}_${fake('', 8)}`],
    ['squ', '_', fake('', 40, HEX)],
    ['r8', '_', fake('', 37)],
    ['pcsk', '_', `${fake('', 6)}_${fake('', 63)}`],
    ['nvapi', '-', `${fake('', 30)}-${fake('', 33)}`],
    ['nfp', '_', fake('', 36)],
    ['tskey-auth', '-', `${fake('k', 11)}CNTRL-${fake('', 32)}`],
    ['pk_12345678', '_', fake('', 32, CAPITALS)],
    ['sk', '.', `${fake('eyJ1', 60)}.${fake('', 22)}`],
    ['ddapp', '_', fake('', 34)],
  ])('%s%s…', (prefix, separator, rest) => {
    const { text, removed } = fromLine(`use ${prefix}${separator}${rest}, then go on`)
    expect(text).toBe(`use ${MARK}, then go on`)
    expect(counts(removed)).toEqual({ token: 1 })
  })

  it.each([
    `commit-${fake('', 40, HEX)}`,
    `img_${fake('', 40, HEX)}.png`,
    `app@sha256:${fake('', 64, HEX)}`,
    'test_shouldReturn404WhenUserDoesNotExist2',
    'feature/my-very-long-branch-name-2-with-numbers-1234',
    'MAX_NUMBER_OF_PALLETS_IN_A_TRUCK_OF_2026_AND_LATER',
    'the-doors-of-8c8c7d32-6b1b-47f4-b2e9-30b477b5ab3d',
  ])('is not a name or a digest: %s', (text) => {
    expect(fromLine(text)).toEqual({ text, removed: [] })
  })
})

describe('tokens with a special format', () => {
  it.each([
    ['Discord', `MTk4${fake('', 20)}.${fake('', 6)}.${fake('', 38)}`],
    ['Airtable', `${fake('pat', 14)}.${fake('', 64, HEX)}`],
    ['Asana', `1/1204567890123456:${fake('', 32, HEX)}`],
    ['Asana, of a workspace', `2/1204567890123456/1204567890123459:${fake('', 32, HEX)}`],
    ['Firebase messaging', `${fake('AAAA', 7)}:${fake('APA91b', 134)}`],
    ['Bitbucket', fake(['AT', 'BB'].join(''), 32)],
    ['1Password', fake(['ops', 'eyJ'].join('_'), 300)],
    ['Datadog', `datadog app key: ${fake('', 40, HEX)}`],
  ])('%s', (_of, token) => {
    expect(fromLine(`use ${token} now`).text).toMatch(/^use (?:datadog app key: )?\[secret removed\] now$/)
  })
})

describe('the address of a web hook is a secret', () => {
  const addresses = {
    Slack: `https://hooks.slack.com/services/${fake('T', 8, CAPITALS)}/${fake('B', 8, CAPITALS)}/${fake('', 24)}`,
    Discord: `https://discord.com/api/webhooks/123456789012345678/${fake('', 68)}`,
    Teams: `https://contoso.webhook.office.com/webhookb2/8c8c7d32-6b1b-47f4-b2e9-30b477b5ab3d@9d8c7d32-6b1b-47f4-b2e9-30b477b5ab3d/IncomingWebhook/${fake('', 32, HEX)}/8c8c7d32-6b1b-47f4-b2e9-30b477b5ab3d`,
    Telegram: `https://api.telegram.org/bot123456789:${fake('AA', 33)}/sendMessage`,
    Mattermost: `https://chat.example.com/hooks/${fake('', 26, 'a1b2c3d4e5f6g7h8j9')}`,
  }

  it.each(Object.entries(addresses))('%s: bare, as a link with a label, and in code', (_of, address) => {
    const secret = address.split('/').find((part) => part.length > 20) ?? ''
    for (const { markdown, removed } of [
      fromMarkdown(`see ${address}`),
      fromMarkdown(`see [the hook](${address})`),
      fromMarkdown(`see \`${address}\``),
      fromHtml(`<p>see <a href="${address}">the hook</a></p>`),
      fromHtml(`<p>see <a href="${address}">${address}</a></p>`),
    ]) {
      expect(markdown).toMatch(/^see /)
      expect(markdown).not.toContain(secret)
      expect(counts(removed)).toEqual({ token: 1 })
    }
  })

  it.each([
    'https://docs.example.com/en/webhooks/securing-your-webhooks-and-events',
    `https://code.example.com/org/webhooks/commit/${fake('', 40, HEX)}`,
    'https://code.example.com/org/app/settings/hooks/123456789',
  ])('keeps an address of a page about web hooks: %s', (text) => {
    expect(fromLine(text)).toEqual({ text, removed: [] })
  })
})
