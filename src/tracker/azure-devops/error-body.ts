import { isRecord } from '../../kernel/json'
/** The error body of the tracker, from any of its formats. */
export interface ErrorBody {
  /** For display: one line, no control characters, the tracker's code at the end. Empty if there is no message. */
  text: string
  /** The type of the error, `RuleValidationException`; empty if the body has none. */
  typeKey: string
  /** `TF401232`, `VS403351`; empty if there is none. */
  code: string
}

const MAX_TEXT_LENGTH = 500

/**
 * Parses `{message, typeKey}`, `{Message}` and the `{count, value: {Message}}` of a batch entry.
 * A rule error lists every field that it rejects in `customProperties`; the text includes all of them.
 */
export function parseErrorBody(body: unknown): ErrorBody {
  const outer = asRecord(body)
  const told = asRecord(outer['value'])
  const raw = textOf(outer['message']) || textOf(outer['Message']) || textOf(told['Message']) || textOf(told['message'])
  const typeKey = textOf(outer['typeKey']) || shortenTypeName(textOf(outer['typeName']))
  const rules = listRuleMessages(asRecord(outer['customProperties'])['RuleValidationErrors'])
  const [, code = '', rest = raw] = /^\s*((?:TF|VS)\d+):\s*([\s\S]*)$/.exec(raw) ?? []
  const text = cleanText(rules.length > 1 ? rules.join(' ') : rest)
  return { text: code && text ? `${text} (${code})` : text, typeKey, code }
}

/** Puts a remote text on one line, without control characters or markup, and shortens it. */
export function cleanText(text: string): string {
  const plain = text
    .replace(/<\/?(?:a|b|br|code|div|em|i|li|ol|p|span|strong|ul)(?:\s[^<>]*)?\/?>/gi, ' ')
    .replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  return plain.length > MAX_TEXT_LENGTH ? `${plain.slice(0, MAX_TEXT_LENGTH - 1)}…` : plain
}

function listRuleMessages(errors: unknown): string[] {
  if (!Array.isArray(errors)) return []
  return errors.map((error) => textOf(asRecord(error)['errorMessage'])).filter((message) => message !== '')
}

function shortenTypeName(typeName: string): string {
  return typeName.split(',')[0]!.split('.').at(-1) ?? ''
}

function asRecord(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {}
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
