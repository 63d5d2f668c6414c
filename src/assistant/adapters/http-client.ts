import { Agent, type Dispatcher, request } from 'undici'
import type { z } from 'zod'
import type { TokenSource } from '../../credentials'
import { StudioError } from '../../kernel'
import { parseJson } from '../../kernel/json'
import type { ModelLimits } from '../services/timeouts'
import { parseErrorBody, readFailure } from './error-body'
import {
  createAnswerTooLargeError,
  createConnectionError,
  createMalformedAnswerError,
  createStartHint,
  type ServerAddress,
} from './model-errors'
import { createStatusError } from './status-error'

export interface HttpRequest {
  method: 'GET' | 'POST'
  path: string
  body?: unknown
  /** The model that the request names, for error messages. */
  model?: string
}

export type HttpClient = ReturnType<typeof createHttpClient>

/** The statuses of a server that does not have the path or does not support the method. */
const NOT_SERVED = new Set([404, 405, 501])

const MAX_BYTES = 4 * 1024 * 1024

/**
 * Every byte to and from the model passes through this client. The timeouts of undici are off, because a server sends no headers until a
 * model is loaded. The callers have timeouts that know what they wait for.
 */
export function createHttpClient(address: ServerAddress, limits: ModelLimits, tokenSource: TokenSource | null) {
  const dispatcher = new Agent({
    connect: { timeout: limits.connectMs },
    headersTimeout: 0,
    bodyTimeout: 0,
    // Each request opens a connection, because a server may close an idle one at the moment when the next request is sent.
    pipelining: 0,
  })
  /** Removed from the errors of the server, because these are shown to users. */
  const secrets = new Set<string>()

  async function sendOnce(httpRequest: HttpRequest, token: string | null, signal: AbortSignal) {
    signal.throwIfAborted()
    if (token !== null) secrets.add(token)
    try {
      return await request(`${address.base}${httpRequest.path}`, {
        dispatcher,
        method: httpRequest.method,
        headers: {
          ...(httpRequest.body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        },
        body: httpRequest.body === undefined ? null : JSON.stringify(httpRequest.body),
        signal,
      })
    } catch (error) {
      signal.throwIfAborted()
      throw createConnectionError(error, address, false)
    }
  }

  /**
   * Sends a request, and once more with another token if the server rejects the first. `startTimer` makes the signal of one attempt. The
   * time in which a command prints the token does not count.
   */
  async function send(
    httpRequest: HttpRequest,
    signal: AbortSignal,
    startTimer = (outer: AbortSignal): AbortSignal => outer,
  ): Promise<{ response: Dispatcher.ResponseData; attempt: AbortSignal }> {
    const token = tokenSource === null ? null : await tokenSource.read(signal)
    const attempt = startTimer(signal)
    const response = await sendOnce(httpRequest, token, attempt)
    if (response.statusCode !== 401 || token === null) return { response, attempt }
    const renewed = await tokenSource!.renew(token, signal)
    if (renewed === null) return { response, attempt }
    await response.body.dump({ limit: MAX_BYTES, signal: attempt })
    const second = startTimer(signal)
    return { response: await sendOnce(httpRequest, renewed, second), attempt: second }
  }

  function hideSecrets(text: string): string {
    return [...secrets].reduce((rest, secret) => rest.replaceAll(secret, '[token]'), text)
  }

  async function readText(response: Dispatcher.ResponseData, signal: AbortSignal): Promise<string> {
    let text = ''
    try {
      for await (const line of readLines(response.body, { lineCharacters: MAX_BYTES, wireBytes: MAX_BYTES }, address))
        text += `${line}\n`
    } catch (error) {
      signal.throwIfAborted()
      throw createConnectionError(error, address, true)
    }
    return text
  }

  async function throwUnlessOk(
    response: Dispatcher.ResponseData,
    httpRequest: HttpRequest,
    signal: AbortSignal,
  ): Promise<void> {
    const { statusCode: status } = response
    if (status < 300) return
    throw createStatusError({
      status,
      failure: parseErrorBody(await readText(response, signal), hideSecrets),
      address,
      model: httpRequest.model ?? null,
      hasToken: tokenSource !== null,
      tokenAdvice: tokenSource?.advice ?? null,
    })
  }

  /** Sends a request and reads the response within the time limit for short requests. */
  async function requestWithTimeout<Result>(
    httpRequest: HttpRequest,
    signal: AbortSignal,
    read: (response: Dispatcher.ResponseData, signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    let within: AbortSignal | null = null
    const startTimer = (outer: AbortSignal) => {
      within = AbortSignal.timeout(limits.requestMs)
      return AbortSignal.any([outer, within])
    }
    try {
      const { response, attempt } = await send(httpRequest, signal, startTimer)
      return await read(response, attempt)
    } catch (error) {
      const isLate = (within as AbortSignal | null)?.aborted ?? false
      if (!isLate || signal.aborted || error instanceof StudioError) throw error
      throw new StudioError('llm_timeout', 'The language model does not answer.', { hint: createStartHint(address) })
    }
  }

  async function parse<Shape extends z.ZodType>(
    response: Dispatcher.ResponseData,
    { httpRequest, shape, signal }: { httpRequest: HttpRequest; shape: Shape; signal: AbortSignal },
  ): Promise<z.output<Shape>> {
    await throwUnlessOk(response, httpRequest, signal)
    const parsed = shape.safeParse(parseJson(await readText(response, signal)))
    if (!parsed.success) throw createMalformedAnswerError(address)
    return parsed.data
  }

  return {
    address,
    /** Sends a request and returns the complete response, which must have the given shape. */
    request<Shape extends z.ZodType>(httpRequest: HttpRequest, shape: Shape, signal: AbortSignal) {
      return requestWithTimeout(httpRequest, signal, (response, within) =>
        parse(response, { httpRequest, shape, signal: within }),
      )
    },
    /** The same; null if the server does not have the path. */
    requestIfServed<Shape extends z.ZodType>(httpRequest: HttpRequest, shape: Shape, signal: AbortSignal) {
      return requestWithTimeout(httpRequest, signal, async (response, within) => {
        if (!NOT_SERVED.has(response.statusCode)) return parse(response, { httpRequest, shape, signal: within })
        await readText(response, within)
        return null
      })
    },
    /** Sends a request and yields the lines of the response as they arrive. Closing it early ends the request and the server's work. */
    async *lines(httpRequest: HttpRequest, signal: AbortSignal) {
      const { response } = await send(httpRequest, signal)
      try {
        await throwUnlessOk(response, httpRequest, signal)
        yield* readLines(response.body, limits, address)
      } catch (error) {
        signal.throwIfAborted()
        throw createConnectionError(error, address, true)
      } finally {
        response.body.destroy()
      }
    },
    /** What an error in the middle of an answer says. */
    readFailure: (error: unknown) => readFailure(error, hideSecrets),
    close: () => dispatcher.destroy(),
  }
}

interface LineLimits {
  lineCharacters: number
  wireBytes: number
}

/** Yields the lines of a body without their line ends, and reads no further than the caller consumes. Throws `llm_answer` if a limit is exceeded. */
async function* readLines(
  chunks: AsyncIterable<Uint8Array>,
  limits: LineLimits,
  address: ServerAddress,
): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder()
  let bytes = 0
  let rest = ''
  for await (const chunk of chunks) {
    bytes += chunk.length
    if (bytes > limits.wireBytes) throw createAnswerTooLargeError(address)
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop()!
    for (const line of lines) yield checkLine(line)
    if (rest.length > limits.lineCharacters) throw createAnswerTooLargeError(address)
  }
  rest += decoder.decode()
  if (rest !== '') yield checkLine(rest)

  function checkLine(line: string): string {
    if (line.length > limits.lineCharacters) throw createAnswerTooLargeError(address)
    return line.endsWith('\r') ? line.slice(0, -1) : line
  }
}
