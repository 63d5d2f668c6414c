import { isRecord, parseJson } from '../../kernel/json'
import { toOneLine } from '../../kernel/text/one-line'

/** What a server says of a failure. */
export interface ServerFailure {
  /** On one line; empty if it says nothing. */
  message: string
  /** Its type, its code and the parameter that it is about, such as `invalid_request_error context_length_exceeded`. */
  names: string
}

const MAX_QUOTED = 200

/**
 * The body of a response with an error status: `{"error": "…"}`, `{"error": {"message": "…", "type": "…"}}`, the same without the outer
 * object (vLLM, Mistral), `{"detail": …}` (FastAPI), or a plain text.
 */
export function parseErrorBody(text: string, hideSecrets: (text: string) => string): ServerFailure {
  const body = parseJson(text)
  if (isRecord(body)) return readFailure(body['error'] ?? body['detail'] ?? body, hideSecrets)
  // A page of a proxy says nothing about the model.
  return readFailure(text.trimStart().startsWith('<') ? undefined : text, hideSecrets)
}

/** The value of `error` in a body or in a part of an answer. Secrets are hidden before it is shortened, which could cut one. */
export function readFailure(error: unknown, hideSecrets: (text: string) => string): ServerFailure {
  const { message, names } = findTexts(error)
  return { message: toOneLine(hideSecrets(message), MAX_QUOTED), names: hideSecrets(names) }
}

function findTexts(error: unknown): ServerFailure {
  if (typeof error === 'string') return { message: error, names: '' }
  // FastAPI lists what is invalid; Mistral has such a list in the place of the message.
  if (Array.isArray(error)) return findTexts(error[0])
  if (!isRecord(error)) return { message: '', names: '' }
  const { message = error['msg'], type, code, param = error['loc'] } = error
  if (isRecord(message) && 'detail' in message) return findTexts(message['detail'])
  const names = [type, code, param].flat().filter((name) => typeof name === 'string' && name !== 'None')
  return { message: typeof message === 'string' ? message : '', names: names.join(' ') }
}

export function isPromptTooLong({ message, names }: ServerFailure): boolean {
  return /exceed_context_size|context_length_exceeded|context_?window_?exceeded|exceeds the (?:available |model'?s )?context|(?:context|maximum model) length|prompt too long/i.test(
    `${message} ${names}`,
  )
}

/** Gateways answer 400 for a model that they do not know. */
export function isModelMissing(status: number, { message, names }: ServerFailure): boolean {
  if (/\b(?:model_not_found|invalid_model)\b/.test(names)) return true
  return status === 404
    ? /model/i.test(message)
    : status === 400 && /\binvalid model (?:name|identifier)/i.test(message)
}

export function isFiltered({ names }: ServerFailure): boolean {
  return /\bcontent_filter\b/.test(names)
}

/** The message as the end of a sentence. */
export function formatQuote(message: string): string {
  return message === '' ? '' : `: ${message.replace(/(?<![.\s])[.\s]+$/, '')}`
}
