import { type ErrorCode, type ErrorOptions, hint, StudioError, suggest } from '../../kernel'
import { formatQuote, isFiltered, isModelMissing, isPromptTooLong, type ServerFailure } from './error-body'
import {
  createFilteredError,
  createModelMissingError,
  createPromptTooLongError,
  createWrongApiError,
  type ServerAddress,
} from './model-errors'

/** A response with an error status whose meaning only its text says. */
export class StatusError extends StudioError {
  constructor(
    readonly status: number,
    readonly failure: ServerFailure,
    code: ErrorCode,
    message: string,
    options: ErrorOptions,
  ) {
    super(code, message, options)
  }
}

export interface StatusFacts {
  status: number
  failure: ServerFailure
  address: ServerAddress
  /** The model that the request names; null if it names none. */
  model: string | null
  /** Whether the request carried a token. */
  hasToken: boolean
  /** What to do if the server rejects the token, if it is not to set another one. */
  tokenAdvice: string | null
}

/** The error for a response with an error status. Quotes the server's message. */
export function createStatusError(facts: StatusFacts): StudioError {
  const { status, failure, address, model } = facts
  const { base } = address
  const fail = (code: ErrorCode, message: string, options: ErrorOptions) =>
    new StatusError(status, failure, code, message, options)
  if (status === 401 || status === 403) return createTokenError(facts)
  if (isPromptTooLong(failure)) return createPromptTooLongError(failure.message)
  if (isFiltered(failure)) return createFilteredError(failure.message)
  if (model !== null && isModelMissing(status, failure)) return createModelMissingError(model, address)
  if (status < 400) {
    return fail('llm_unavailable', `The server at ${base} answered with a redirect (HTTP ${status}).`, {
      hint: 'Redirects are not followed. Set STUDIO_LLM_HOST to the address of the language model itself.',
    })
  }
  if (status === 503 || status === 429) {
    return fail('llm_unavailable', `The language model is busy${formatQuote(failure.message)}.`, {
      hint: `Tried ${base} (STUDIO_LLM_HOST). Try again later.`,
      retryAfterSeconds: 5,
    })
  }
  if (status === 404 || status === 405) return createWrongApiError(address)
  return fail('llm_answer', `The language model failed (HTTP ${status})${formatQuote(failure.message)}.`, {
    hint: hint`Try again, or use another model: ${suggest('llm.models')}. The log of ${base} may say more.`,
  })
}

/** The message of a 401 is not quoted, because some servers repeat parts of the token there. */
function createTokenError({ status, failure, address: { base }, hasToken, tokenAdvice }: StatusFacts): StudioError {
  if (!hasToken) {
    return new StudioError('llm_token', `The language model at ${base} requires a token, and none is set.`, {
      hint: 'Set STUDIO_LLM_TOKEN to it, or llm.tokenCommand to a command that prints it, or store it: studio init --with-llm-token < token.txt',
    })
  }
  if (status === 403) {
    return new StudioError(
      'llm_token',
      `The language model at ${base} does not allow this with the token${formatQuote(failure.message)}.`,
      { hint: hint`Use a token with more rights (STUDIO_LLM_TOKEN), or another model: ${suggest('llm.models')}` },
    )
  }
  const message = `The language model at ${base} does not accept the token: it is wrong, expired or revoked.`
  return new StudioError('llm_token', message, {
    hint:
      tokenAdvice ??
      'Set STUDIO_LLM_TOKEN to another one, or store another one: studio init --with-llm-token < token.txt',
  })
}
