import { hint, StudioError, suggest } from '../../kernel'
import { findNetworkErrorCode, UNREACHABLE_CODES } from '../../kernel/errors'
import { isRecord, parseJson } from '../../kernel/json'
import { toOneLine } from '../../kernel/text/one-line'

export interface ServerAddress {
  /** Without a trailing slash. */
  base: string
  api: 'ollama' | 'openai'
}

const START_HINTS = {
  ollama: 'Start it: ollama serve; then install a model: ollama pull llama3.2',
  openai:
    'Start one that speaks the OpenAI API, such as llama-server, LM Studio or vLLM; for Ollama set STUDIO_LLM_API=ollama',
} as const

export function createStartHint({ base, api }: ServerAddress): string {
  return `Tried ${base} (STUDIO_LLM_HOST). ${START_HINTS[api]}.`
}

/** Classifies a request that got no complete response. */
export function createConnectionError(
  error: unknown,
  address: ServerAddress,
  hasResponseStarted: boolean,
): StudioError {
  if (error instanceof StudioError) return error
  const code = findNetworkErrorCode(error)
  if (hasResponseStarted && code !== 'UND_ERR_CONNECT_TIMEOUT' && !UNREACHABLE_CODES.has(code))
    return createInterruptedAnswerError(`Try again. The log of ${address.base} may say why it stopped.`, error)
  return new StudioError('llm_unavailable', describeFailedConnection(code), {
    hint: createStartHint(address),
    cause: error,
  })
}

function describeFailedConnection(code: string): string {
  if (code === 'UND_ERR_CONNECT_TIMEOUT') return 'The connection to the language model timed out.'
  if (!UNREACHABLE_CODES.has(code)) return 'The language model closed the connection without a response.'
  const isUnknownHost = code === 'ENOTFOUND' || code === 'EAI_AGAIN'
  return `The language model cannot be reached: ${isUnknownHost ? 'the host name is unknown' : 'the connection was refused'}.`
}

export function createInterruptedAnswerError(hint = 'Try again.', cause?: unknown): StudioError {
  return new StudioError('llm_answer', "The language model's answer was cut off.", { hint, cause })
}

/** The error for a response with an error status. Quotes the server's message. */
export function createStatusError(
  answer: { status: number; text: string },
  address: ServerAddress,
  model: string | null,
): StudioError {
  const { status } = answer
  const message = extractErrorMessage(answer.text)
  if (isPromptTooLong(message)) return createPromptTooLongError(message)
  if (status === 404 && model !== null && /model/i.test(message)) return createModelMissingError(model, address)
  if (status < 400) {
    return new StudioError(
      'llm_unavailable',
      `The server at ${address.base} answered with a redirect (HTTP ${status}).`,
      {
        hint: 'Redirects are not followed. Set STUDIO_LLM_HOST to the address of the language model itself.',
      },
    )
  }
  if (status === 503 || status === 429) {
    return new StudioError('llm_unavailable', `The language model is busy${formatQuote(message)}.`, {
      hint: `Tried ${address.base} (STUDIO_LLM_HOST). Try again later.`,
      retryAfterSeconds: 5,
    })
  }
  if (status === 401 || status === 403) {
    return new StudioError('llm_unavailable', `The language model at ${address.base} requires credentials.`, {
      hint: 'Set STUDIO_LLM_HOST to a server that does not require any, such as one on this machine.',
    })
  }
  if (status === 404 || status === 405) return createWrongApiError(address)
  return new StudioError('llm_answer', `The language model failed (HTTP ${status})${formatQuote(message)}.`, {
    hint: hint`Try again, or use another model: ${suggest('llm.models')}. The log of ${address.base} may say more.`,
  })
}

/** If the server has no list of models to choose from, it most likely speaks another API. */
export function createListMissingError(address: ServerAddress): StudioError {
  const error = createWrongApiError(address)
  return error.copyWith({
    hint: hint`${error.hint!} If it supports this API but does not list its models, set STUDIO_LLM_MODEL to the name of a model.`,
  })
}

function createWrongApiError({ base, api }: ServerAddress): StudioError {
  return new StudioError('llm_unavailable', `The server at ${base} does not support the ${api} API.`, {
    hint: 'Set STUDIO_LLM_API to the API of the server: ollama or openai.',
  })
}

/** The error for an error message in the middle of an answer. */
export function createAnswerError(message: string): StudioError {
  if (isPromptTooLong(message)) return createPromptTooLongError(message)
  return new StudioError(
    'llm_answer',
    `The language model failed while answering${formatQuote(toOneLine(message, MAX_QUOTED))}.`,
    {
      hint: hint`Try again, or use another model: ${suggest('llm.models')}`,
    },
  )
}

export function createMalformedAnswerError(address: ServerAddress): StudioError {
  return new StudioError('llm_answer', `The response of ${address.base} is not valid in the ${address.api} API.`, {
    hint: 'Set STUDIO_LLM_API to the API of the server: ollama or openai.',
  })
}

export function createAnswerTooLargeError(address: ServerAddress): StudioError {
  return new StudioError('llm_answer', `The response of ${address.base} is too large.`, {
    hint: hint`Request a shorter answer, or use another model: ${suggest('llm.models')}`,
  })
}

export function createModelMissingError(model: string, address: ServerAddress): StudioError {
  const download = address.api === 'ollama' ? `. To install it: ollama pull ${model}` : ''
  return new StudioError('llm_model_missing', `The model ${model} is not installed at ${address.base}.`, {
    hint: hint`List the installed models: ${suggest('llm.models')}${download}`,
  })
}

export function createPromptTooLongError(message = ''): StudioError {
  return new StudioError('prompt_too_long', `The prompt is longer than the model's context${formatQuote(message)}.`, {
    hint: hint`Shorten the prompt, or use a model with a longer context: ${suggest('llm.models')}`,
  })
}

function isPromptTooLong(message: string): boolean {
  return /exceed_context_size|context_length_exceeded|exceeds the (?:available |model'?s )?context|maximum context length|context length/i.test(
    message,
  )
}

const MAX_QUOTED = 200

/** The message of an error body: `{"error": "…"}` or `{"error": {"message": "…", "type": "…"}}`. */
function extractErrorMessage(text: string): string {
  const body = parseJson(text)
  return isRecord(body) ? formatError(body['error']) : ''
}

export function formatError(error: unknown): string {
  if (typeof error === 'string') return toOneLine(error, MAX_QUOTED)
  if (typeof error !== 'object' || error === null) return ''
  const { message, type, code } = error as { message?: unknown; type?: unknown; code?: unknown }
  const known = [type, code].filter((fact) => typeof fact === 'string' && /context/.test(fact))
  return toOneLine([typeof message === 'string' ? message : '', ...known].join(' '), MAX_QUOTED)
}

function formatQuote(message: string): string {
  return message === '' ? '' : `: ${message.replace(/(?<![.\s])[.\s]+$/, '')}`
}
