import { type Finding, findWithin, type Run } from '../finding'
import { entropyOf, isRandomText } from './random-text'
import rules from './secret-rules.json'

interface TokenRule {
  hints: readonly string[]
  pattern: string
  entropy: number
  compiled?: RegExp
}

interface LabelledRule {
  label: string
  value: string
  entropy: number
  compiled?: RegExp
}

/**
 * A hint of this length identifies a token by itself. Its end is then not checked, and characters that follow directly belong to
 * the token.
 */
const MIN_HINT_LENGTH = 4
const REST = /[A-Za-z0-9_]*/y

/** Finds tokens whose format the gitleaks rules describe. */
export function findVendorTokens(runs: readonly Run[]): Finding[] {
  const lower = runs.map((run) => run.text.toLowerCase()).join(' ')
  return (rules.tokens as TokenRule[]).flatMap((rule) => {
    const hint = rule.hints.find((text) => lower.includes(text))
    if (hint === undefined) return []
    const isOpen = hint.length >= MIN_HINT_LENGTH
    rule.compiled ??= new RegExp(`(?<![A-Za-z0-9_])(?:${rule.pattern})${isOpen ? '' : '(?![A-Za-z0-9_])'}`, 'g')
    const accepts = ([token]: RegExpExecArray) =>
      entropyOf(token) >= rule.entropy && (/\d/.test(token) || entropyOf(token) >= 4)
    return findWithin(runs, rule.compiled, 'token', { accepts, rest: REST })
  })
}

/** The number of characters before a token that are searched for the name of its vendor. */
const WINDOW = 64
const BETWEEN = '[ \\t\\w.-]{0,20}[\\s\'"]{0,3}(?:=|>|:{1,3}=|\\|\\||:|=>|\\?=|,)[`\'"\\s=]{0,5}'

let labels: { pattern: RegExp; rules: Map<string, LabelledRule[]> } | undefined

/** Finds tokens without a format of their own after the name of their vendor and a separator: `airtable: …`. */
export function findLabelledVendorTokens(text: string, runs: readonly Run[]): Finding[] {
  const findings: Finding[] = []
  let from = 0
  for (const run of runs) {
    const start = Math.max(from, run.start - WINDOW)
    from = run.start + run.text.length
    labels ??= labelIndex()
    const window = text.slice(start, from)
    for (const { index, 0: hint } of window.matchAll(labels.pattern)) {
      for (const rule of labels.rules.get(hint.toLowerCase()) ?? []) {
        const found = valueBehind(rule, text, start + index)
        if (found) findings.push(found)
      }
    }
  }
  return findings
}

function valueBehind(rule: LabelledRule, text: string, at: number): Finding | null {
  rule.compiled ??= new RegExp(`(?:${rule.label})${BETWEEN}(?<it>${rule.value})(?![\\w-])`, 'dy')
  rule.compiled.lastIndex = at
  const [start, end] = rule.compiled.exec(text)?.indices?.groups?.['it'] ?? [0, 0]
  const value = text.slice(start, end)
  return end > start && entropyOf(value) >= rule.entropy && isRandomText(value) ? { start, end, kind: 'token' } : null
}

function labelIndex(): { pattern: RegExp; rules: Map<string, LabelledRule[]> } {
  const byHint = new Map<string, LabelledRule[]>()
  for (const { hints, ...rule } of rules.labelled)
    for (const hint of hints) byHint.set(hint, [...(byHint.get(hint) ?? []), rule])
  return { pattern: new RegExp([...byHint.keys()].join('|'), 'gi'), rules: byHint }
}
