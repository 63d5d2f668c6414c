import { parse } from 'smol-toml'
import { alternativesOf, translatePattern } from './translate-pattern'

/** A rule for a token that is identified by its format. */
export interface TokenRule {
  id: string
  /** Texts in lower case. Every such token contains one of them. */
  hints: string[]
  pattern: string
  entropy: number
}

/** A rule for a token that is identified by the name of its vendor before it. */
export interface LabelledRule {
  id: string
  /** Texts in lower case. The label starts with one of them. */
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

/** Lists the rules that are left out, with the reason. */
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

/** The entropy for rules that do not specify one. */
const USUAL_ENTROPY = 2

/**
 * Converts the gitleaks rules to two kinds of JavaScript rules. The text around a token is left to the code that searches, because
 * it parses Markdown and prose. A rule with a label becomes a token rule if its value has a fixed start.
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
        // Tokens are searched for within runs without whitespace.
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

/** Removes the patterns for text before and after the secret. */
function withoutContext(regex: string): string {
  const flag = regex.startsWith('(?i)') ? '(?i)' : ''
  const rest = regex.slice(flag.length)
  const before = CONTEXT_BEFORE.find((context) => rest.startsWith(context)) ?? ''
  const after = CONTEXT_AFTER.find((context) => rest.endsWith(context)) ?? ''
  return flag + rest.slice(before.length, rest.length - after.length)
}

/**
 * Returns the keywords that are part of the token. Other keywords, such as the vendor's name, are not necessary if the token has a
 * fixed start.
 */
function hintsOf(pattern: string, keywords: readonly string[]): string[] {
  const beginning = beginningOf(pattern)
  const own = keywords.filter((keyword) => fixedText(pattern).includes(keyword))
  if (own.length > 0) return own
  return beginning ? [beginning] : [...keywords]
}

/**
 * Returns the fixed start of a token in lower case, or an empty string if it has fewer than three characters, which do not identify
 * a token.
 */
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
