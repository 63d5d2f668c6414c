import { parse } from 'smol-toml'
import { alternativesOf, translatePattern } from './translate-pattern'

/** A token that is known by its form. */
export interface TokenRule {
  id: string
  /** Lower-case texts, one of which every such token contains. */
  hints: string[]
  pattern: string
  entropy: number
}

/** A token without a form of its own, that the name of its vendor introduces. */
export interface LabelledRule {
  id: string
  /** Lower-case texts, one of which the label begins with. */
  hints: string[]
  label: string
  value: string
  entropy: number
}

export interface SecretRules {
  tokens: TokenRule[]
  labelled: LabelledRule[]
}

interface GitleaksRule {
  id: string
  regex?: string
  entropy?: number
  keywords?: string[]
}

/** Rules that are left out, and why. */
const LEFT_OUT: readonly [RegExp, string][] = [
  [/-client-id$|-pub-key$|-public-key$|-pub-api-key$|-access-id$|-user-api-id$/, 'the value is public'],
  [/^sourcegraph-|^facebook-access-token$/, 'every commit hash, or pair of numbers and words, matches'],
  [
    /^(?:generic-api-key|hashicorp-tf-password|curl-auth-\w+|nuget-config-password|freemius-secret-key)$/,
    'passwords.ts finds these forms',
  ],
  [/^(?:kubernetes-secret-yaml|sidekiq-\S+|pkcs12-file)$/, 'a file or several lines, not one token'],
  [/^(?:private-key|jwt)$/, 'private-keys.ts and tokens.ts find more of these'],
  [/^nytimes-/, 'its label ends in a comma by mistake'],
  [/^lob-/, 'its keyword is not what introduces it'],
  [/webhook/, 'webhooks.ts finds the addresses of every vendor'],
]

const SIGN = String.raw`(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}`
const AFTER_LABEL = String.raw`(?:[ \t\w.-]{0,20})[\s'"]{0,3}`
const BEFORE_LABEL = String.raw`[\w.-]{0,50}?`
const CONTEXT_BEFORE = [String.raw`\b`, String.raw`(?:^|[\\'"\x60\s>=:(,)])`]
const CONTEXT_AFTER = [
  String.raw`(?:[\x60'"\s;]|\\[nr]|$)`,
  String.raw`(?:[\x60'"\s;]|\\[nr]|$|\b)`,
  String.raw`(?:[^\w-]|\z)`,
  String.raw`(?:[^a-zA-Z0-9+/]|\z)`,
  String.raw`(?:$|[\\'"\x60\s<),])`,
  String.raw`\b`,
]

/** The entropy that gitleaks asks for where a rule says nothing. */
const USUAL_ENTROPY = 2

/**
 * Two kinds of rules, as JavaScript reads them: what may stand around a token is left to the code that searches, which knows Markdown
 * and prose. A rule with a label whose value has a beginning of its own is a rule without a label.
 */
export function deriveSecretRules(toml: string): SecretRules {
  const rules: SecretRules = { tokens: [], labelled: [] }
  for (const { id, regex, entropy = USUAL_ENTROPY, keywords = [] } of (
    parse(toml) as unknown as { rules: GitleaksRule[] }
  ).rules) {
    if (!regex || LEFT_OUT.some(([ids]) => ids.test(id))) continue
    for (const alternative of alternativesOf(regex)) {
      const labelled = labelledParts(alternative)
      const hints = keywords.map((keyword) => keyword.toLowerCase())
      if (labelled && !beginningOf(labelled.value)) rules.labelled.push({ id, hints, ...labelled, entropy })
      else {
        // A token is looked for between blanks.
        const pattern = (labelled?.value ?? translatePattern(withoutContext(alternative))).replace('\\r\\n', '')
        rules.tokens.push({ id, hints: hintsOf(pattern, hints), pattern, entropy })
      }
    }
  }
  return rules
}

function labelledParts(regex: string): { label: string; value: string } | null {
  const open = regex.startsWith('(?i)') ? `(?i)${BEFORE_LABEL}(?:` : `${BEFORE_LABEL}(?i:${BEFORE_LABEL}(?:`
  const close = regex.startsWith('(?i)') ? `)${AFTER_LABEL}${SIGN}` : `)${AFTER_LABEL})${SIGN}`
  const end = regex.indexOf(close)
  if (!regex.startsWith(open) || end < 0) return null
  return {
    label: translatePattern(`(?i)${regex.slice(open.length, end)}`),
    value: translatePattern(
      `${regex.startsWith('(?i)') ? '(?i)' : ''}${withoutContext(regex.slice(end + close.length))}`,
    ),
  }
}

/** Without what may stand before and behind the secret. */
function withoutContext(regex: string): string {
  const flag = regex.startsWith('(?i)') ? '(?i)' : ''
  const rest = regex.slice(flag.length)
  const before = CONTEXT_BEFORE.find((context) => rest.startsWith(context)) ?? ''
  const after = CONTEXT_AFTER.find((context) => rest.endsWith(context)) ?? ''
  return flag + rest.slice(before.length, rest.length - after.length)
}

/** The keywords that are a part of the token. One that is not, the vendor's name, is not needed where the token has a beginning. */
function hintsOf(pattern: string, keywords: readonly string[]): string[] {
  const beginning = beginningOf(pattern)
  const own = keywords.filter((keyword) => fixedText(pattern).includes(keyword))
  if (own.length > 0) return own
  return beginning ? [beginning] : [...keywords]
}

/** Three or more fixed characters, lower case: enough to know a token by. Empty where it has none. */
function beginningOf(pattern: string): string {
  const beginning = fixedText(/^(?:[\w-]|\\[.-]|\[[a-z][A-Z]\])*(?![?*+{])/.exec(pattern)?.[0] ?? '')
  return beginning.length >= 3 ? beginning : ''
}

function fixedText(pattern: string): string {
  return pattern
    .replace(/\[([a-z])[A-Z]\]/g, '$1')
    .replace(/\\([.~-])/g, '$1')
    .toLowerCase()
}
