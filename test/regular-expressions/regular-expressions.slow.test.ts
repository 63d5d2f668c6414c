import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import secretRules from '../../src/sanitize/rules/redact/tokens/secret-rules.json'
import { composeExpressions, type Modules } from './compose-expressions'
import { findExpressions, type Site, sitesIn } from './find-expressions'
import { type Hostile, hostileInputs } from './hostile-inputs'
import { excessiveGrowth, use } from './measure-growth'

/** Files whose expressions are never applied to untrusted text, with the reason. */
const ONLY_CONSTANTS: Record<string, string> = {
  'src/storage/embedded/engine/inspect-statement.ts':
    'the SQL that the program builds; what users wrote is in its parameters',
}

/** A text that triggers every rule whose expression is composed on demand. */
const TOKEN_HINTS = [...secretRules.tokens, ...secretRules.labelled].flatMap(({ hints }) => hints).join(' ')

/** Calls the functions that compose an expression on demand. */
function composeTheOthers(modules: Modules): void {
  modules['src/assistant/rules/prompts/boundary.ts'].removeMarks({ token: 'abcdefghijklmnopqrstuvwx' }, '')
  modules['src/search/rules/tokenize.ts'].tokenize('荷台')
  const mentions = modules['src/sanitize/rules/redact/people/mentions.ts']
  mentions.findMentions({ text: 'Ada Lovelace', isCode: () => false }, mentions.indexPeople(['Ada Lovelace']))
  const tokens = modules['src/sanitize/rules/redact/tokens/vendor-tokens.ts']
  tokens.findVendorTokens([{ start: 0, text: TOKEN_HINTS }])
  tokens.findLabelledVendorTokens(TOKEN_HINTS, [{ start: 0, text: TOKEN_HINTS }])
  modules['src/kernel/input/fields.ts'].matchesPattern({ shape: { pattern: '^a$' } }, 'a')
  modules['src/rich-text/rules/plain-text/html.ts'].htmlToPlainText('<script>a</script>')
  modules['src/rich-text/rules/markdown/write.ts'].writeMarkdown({
    type: 'root',
    children: [{ type: 'paragraph', children: [{ type: 'text', value: 'a' }] }],
  })
}

/** The expressions are split over several tests, so that none exceeds its timeout on a slow machine. */
const PARTS = [0, 1, 2, 3, 4, 5]

/**
 * Hashes of the expressions that have passed, because checking all of them takes a minute. Only others are checked, except in the long form
 * (`STUDIO_FAULTS=long`), which writes the file anew.
 */
const PASSED_FILE = join(import.meta.dirname, 'passed.txt')
const checksAll = process.env['STUDIO_FAULTS'] === 'long'
const passedBefore = new Set(checksAll ? [] : readFileSync(PASSED_FILE, 'utf8').split('\n'))
const hashOf = (expression: RegExp) => createHash('sha256').update(String(expression)).digest('base64url').slice(0, 16)

describe('regular expressions', () => {
  let sites: Site[]
  let composed: Map<string, RegExp[]>
  const passed: string[] = []
  beforeAll(async () => {
    sites = await findExpressions()
    composed = await composeExpressions(sites, composeTheOthers)
  })

  it('are all found in the sources, literal or composed', () => {
    const text = "const a = /x+/g, b = new RegExp(a.source, 'u') // not /this/\nconst c = 4 / 2 / 1\nRegExp('y')"
    expect(sitesIn('a.ts', text).map(({ at, literal }) => [at, literal])).toEqual([
      ['a.ts:1', /x+/g],
      ['a.ts:1:22', null],
      ['a.ts:3', null],
    ])
    const missing = sites.filter(({ at, literal }) => literal === null && !composed.has(at)).map(({ at }) => at)
    expect(missing, 'call what composes them in composeTheOthers').toEqual([])
  })

  it.each(PARTS)('take linear time for any text (part %i)', (part) => {
    const tooSlow: string[] = []
    const all = distinct(sites, composed).filter(([, expression]) => !passedBefore.has(hashOf(expression)))
    for (const [at, expression] of all.filter((_, n) => n % PARTS.length === part)) {
      const found = slowInput(expression)
      if (found) tooSlow.push(`${at} ${expression} on ${JSON.stringify(found)}`)
      else passed.push(hashOf(expression))
    }
    expect(tooSlow).toEqual([])
  })

  it.runIf(checksAll)('are remembered as passed', () => {
    expect(passed).toHaveLength(distinct(sites, composed).length)
    writeFileSync(PASSED_FILE, `${passed.sort().join('\n')}\n`)
  })

  it.each([/(?:a|a)+$/, /^(?:\p{Extended_Pictographic}|\p{Emoji_Component})+$/u, /<!--[\s\S]*?-->/g])(
    '%s is detected as slow',
    (expression) => {
      expect(slowInput(expression)).not.toBeNull()
    },
  )

  it
    .runIf(checksAll)
    .each([
      /\s+$/,
      /a*b?a*$/,
      /^\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/,
      /^(.*\S)\s*=\s*(\S.*)$/,
      /([a-z][a-z0-9+.-]*:\/\/[^\s:/@"]*:)[^\s@"]+(?=@)/gi,
    ])('%s is detected as slow', (expression) => {
    expect(slowInput(expression)).not.toBeNull()
  })

  it.each([/(?<!\s)\s+$/, /[\s\S]*/g, /a{1,300}b/, /^(?:[a-z]+ )*$/, /^"(?:[^"\\]|\\.)*"/])(
    '%s is not detected as slow',
    (expression) => {
      expect(slowInput(expression)).toBeNull()
    },
  )
})

/** Each expression once, with its first position. */
function distinct(sites: readonly Site[], composed: ReadonlyMap<string, RegExp[]>): [at: string, expression: RegExp][] {
  const all = sites
    .filter(({ file }) => !(file in ONLY_CONSTANTS))
    .flatMap(({ at, literal }) => (literal ? [literal] : (composed.get(at) ?? [])).map((found) => [at, found] as const))
  return [...new Map(all.toReversed().map(([at, found]) => [String(found), [at, found] as [string, RegExp]])).values()]
}

function slowInput(expression: RegExp): Hostile | null {
  return hostileInputs(expression).find((input) => excessiveGrowth(use(expression), input) !== null) ?? null
}
