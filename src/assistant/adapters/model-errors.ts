import { hint, StudioError, suggest } from '../../kernel'
import { isRecord, parseJson } from '../../kernel/json'

/** Whom we speak to, as people know it. */
export interface ServerAddress {
  /** Without a slash at its end. */
  base: string
  api: 'ollama' | 'openai'
}

const START_HINTS = {
  ollama: 'Start it: ollama serve, and once: ollama pull llama3.2',
  openai:
    'Start one that speaks the OpenAI API, such as llama-server, LM Studio or vLLM; for Ollama set STUDIO_LLM_API=ollama',
} as const

/** What was tried, and how to get a model. */
export function startHint({ base, api }: ServerAddress): string {
  return `Tried ${base} (STUDIO_LLM_HOST). ${START_HINTS[api]}.`
}

const UNREACHABLE_CODES = new Set([
  'ENOTFOUND',
  'EAI_AGAIN',
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
])

/** A request without a usable answer: name not known, refused, reset, cut. */
export function connectionError(error: unknown, address: ServerAddress, answering: boolean): StudioError {
  if (error instanceof StudioError) return error
  const code = codeOf(error)
  const start = startHint(address)
  if (code === 'UND_ERR_CONNECT_TIMEOUT')
    return new StudioError('llm_unavailable', 'The connection to the language model timed out.', {
      hint: start,
      cause: error,
    })
  if (UNREACHABLE_CODES.has(code)) {
    const why = code === 'ENOTFOUND' || code === 'EAI_AGAIN' ? 'its name is not known' : 'nothing answers there'
    return new StudioError('llm_unavailable', `The language model cannot be reached: ${why}.`, {
      hint: start,
      cause: error,
    })
  }
  return answering
    ? new StudioError('llm_answer', "The language model's answer broke off.", {
        hint: `Try again; ${address.base} says in its own log why it stopped.`,
        cause: error,
      })
    : new StudioError('llm_unavailable', 'The language model closed the connection without an answer.', {
        hint: start,
        cause: error,
      })
}

/** An answer that is a refusal, in the server's words as far as they can be shown. */
export function statusError(
  answer: { status: number; text: string },
  address: ServerAddress,
  model: string | null,
): StudioError {
  const { status } = answer
  const said = extractErrorMessage(answer.text)
  if (isTooLong(said)) return promptTooLong(said)
  if (status === 404 && model !== null && /model/i.test(said)) return modelMissing(model, address)
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
    return new StudioError('llm_unavailable', `The language model is busy${quoteSuffix(said)}.`, {
      hint: `Tried ${address.base} (STUDIO_LLM_HOST). Try again when it has less to do.`,
      retryAfterSeconds: 5,
    })
  }
  if (status === 401 || status === 403) {
    return new StudioError('llm_unavailable', `The language model at ${address.base} asks for a credential.`, {
      hint: 'Set STUDIO_LLM_HOST to a server that answers without one, such as one on this machine.',
    })
  }
  if (status === 404 || status === 405) return otherApi(address)
  return new StudioError('llm_answer', `The language model failed (HTTP ${status})${quoteSuffix(said)}.`, {
    hint: hint`Try again, or another model: ${suggest('llm.models')}. ${address.base} says more in its own log.`,
  })
}

/** No model is named, and the server has no list to take one from: most likely it is another kind of server. */
export function listMissing(address: ServerAddress): StudioError {
  const error = otherApi(address)
  return error.copyWith({
    hint: hint`${error.hint!} If it speaks this API and only has no list of models, set STUDIO_LLM_MODEL to the model's name.`,
  })
}

function otherApi({ base, api }: ServerAddress): StudioError {
  return new StudioError('llm_unavailable', `The server at ${base} does not support the ${api} API.`, {
    hint: 'Set STUDIO_LLM_API to ollama or to openai, whichever the server speaks.',
  })
}

/** An error that came in the middle of an answer. */
export function answerError(said: string): StudioError {
  if (isTooLong(said)) return promptTooLong(said)
  return new StudioError('llm_answer', `The language model failed while answering${quoteSuffix(toShortLine(said))}.`, {
    hint: hint`Try again, or another model: ${suggest('llm.models')}`,
  })
}

export function malformedAnswer(address: ServerAddress): StudioError {
  return new StudioError(
    'llm_answer',
    `The answer of ${address.base} cannot be read as one of the ${address.api} API.`,
    {
      hint: 'Set STUDIO_LLM_API to ollama or to openai, whichever the server speaks.',
    },
  )
}

export function answerTooLarge(address: ServerAddress): StudioError {
  return new StudioError('llm_answer', `The answer of ${address.base} is too large.`, {
    hint: hint`Ask for less, or another model: ${suggest('llm.models')}`,
  })
}

export function modelMissing(model: string, address: ServerAddress): StudioError {
  const download = address.api === 'ollama' ? `, or get it: ollama pull ${model}` : ''
  return new StudioError('llm_model_missing', `The model ${model} is not installed at ${address.base}.`, {
    hint: hint`See which are: ${suggest('llm.models')}${download}`,
  })
}

export function promptTooLong(said: string | null = null): StudioError {
  return new StudioError(
    'prompt_too_long',
    `The prompt is longer than the model's context${quoteSuffix(said ?? '')}.`,
    {
      hint: hint`Send less, or use a model with a longer context: ${suggest('llm.models')}`,
    },
  )
}

function isTooLong(said: string): boolean {
  return /exceed_context_size|context_length_exceeded|exceeds the (?:available |model'?s )?context|maximum context length|context length/i.test(
    said,
  )
}

const MAX_QUOTED = 200

/** What a server says in an error body: `{"error": "…"}` or `{"error": {"message": "…", "type": "…"}}`. */
export function extractErrorMessage(text: string): string {
  const body = parseJson(text)
  return isRecord(body) ? formatError(body['error']) : ''
}

export function formatError(error: unknown): string {
  if (typeof error === 'string') return toShortLine(error)
  if (typeof error !== 'object' || error === null) return ''
  const { message, type, code } = error as { message?: unknown; type?: unknown; code?: unknown }
  const known = [type, code].filter((fact) => typeof fact === 'string' && /context/.test(fact))
  return toShortLine([typeof message === 'string' ? message : '', ...known].join(' '))
}

function toShortLine(said: string): string {
  const line = said.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim()
  return line.length > MAX_QUOTED ? `${line.slice(0, MAX_QUOTED)}…` : line
}

function quoteSuffix(said: string): string {
  return said === '' ? '' : `: ${said.replace(/(?<![.\s])[.\s]+$/, '')}`
}

/** The system's or the client's code, also of an error that stands for several attempts to connect. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return ''
  const { code } = error as NodeJS.ErrnoException
  if (typeof code === 'string' && code !== 'UND_ERR') return code
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0])
  return codeOf(error.cause)
}
