import { hint, StudioError, suggest } from '../../kernel'
import { findNetworkErrorCode, UNREACHABLE_CODES } from '../../kernel/errors'
import { formatQuote, isFiltered, isPromptTooLong, type ServerFailure } from './error-body'

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

/** If the server has no list of models to choose from, it most likely speaks another API. */
export function createListMissingError(address: ServerAddress): StudioError {
  const error = createWrongApiError(address)
  return error.copyWith({
    hint: hint`${error.hint!} If it supports this API but does not list its models, set STUDIO_LLM_MODEL to the name of a model.`,
  })
}

export function createWrongApiError({ base, api }: ServerAddress): StudioError {
  return new StudioError('llm_unavailable', `The server at ${base} does not support the ${api} API.`, {
    hint: 'Set STUDIO_LLM_API to the API of the server: ollama or openai.',
  })
}

/** The error for an error message in the middle of an answer. */
export function createAnswerError(failure: ServerFailure): StudioError {
  const { message } = failure
  if (isPromptTooLong(failure)) return createPromptTooLongError(message)
  if (isFiltered(failure)) return createFilteredError(message)
  return new StudioError('llm_answer', `The language model failed while answering${formatQuote(message)}.`, {
    hint: hint`Try again, or use another model: ${suggest('llm.models')}`,
  })
}

/** The server ended the answer and says only why, such as `insufficient_system_resource`. */
export function createStoppedAnswerError(reason: string): StudioError {
  return new StudioError('llm_answer', `The server stopped the answer before its end (${reason}).`, {
    hint: hint`Try again, or use another model: ${suggest('llm.models')}`,
  })
}

/** `message` is what the server says about it, or empty. */
export function createFilteredError(message = ''): StudioError {
  return new StudioError('llm_refused', `The content filter of the server stopped the answer${formatQuote(message)}.`, {
    hint: hint`Change the request, or use another model: ${suggest('llm.models')}`,
  })
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
