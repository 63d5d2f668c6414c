import { Agent, type Dispatcher, request } from 'undici'
import type { z } from 'zod'
import { StudioError } from '../../kernel'
import { parseJson } from '../../kernel/json'
import type { Limits } from '../services/limits'
import {
  answerTooLarge,
  connectionError,
  malformedAnswer,
  type ServerAddress,
  startHint,
  statusError,
} from './model-errors'

export interface HttpRequest {
  method: 'GET' | 'POST'
  path: string
  body?: unknown
  /** The model that it is about, for words. */
  model?: string
}

export interface HttpClient {
  readonly address: ServerAddress
  /** A short question, answered whole and in the given shape. */
  request<Shape extends z.ZodType>(ask: HttpRequest, shape: Shape, signal: AbortSignal): Promise<z.output<Shape>>
  /** The same; null where the server has no such path. */
  requestIfServed<Shape extends z.ZodType>(
    ask: HttpRequest,
    shape: Shape,
    signal: AbortSignal,
  ): Promise<z.output<Shape> | null>
  /** Sends once, and gives the answer's lines as they come. Closing it early ends the request, and with it the server's work. */
  lines(ask: HttpRequest, signal: AbortSignal): AsyncGenerator<string, void, undefined>
  close(): Promise<void>
}

/** The statuses of a server that does not have the path, or not for this method. */
const NOT_SERVED = new Set([404, 405, 501])

const MAX_BYTES = 4 * 1024 * 1024

/**
 * The one request function: every byte to and from the model passes here. The client's own time limits are off: no header comes until a
 * model is loaded, and who waits for it knows better how long that may take.
 */
export function createHttpClient(address: ServerAddress, limits: Limits): HttpClient {
  const dispatcher = new Agent({
    connect: { timeout: limits.connectMs },
    headersTimeout: 0,
    bodyTimeout: 0,
    // Each request has a connection of its own: a server may close one that is kept just when the next request leaves.
    pipelining: 0,
  })

  async function send(ask: HttpRequest, signal: AbortSignal): Promise<Dispatcher.ResponseData> {
    signal.throwIfAborted()
    try {
      return await request(`${address.base}${ask.path}`, {
        dispatcher,
        method: ask.method,
        headers: ask.body === undefined ? {} : { 'content-type': 'application/json' },
        body: ask.body === undefined ? null : JSON.stringify(ask.body),
        signal,
      })
    } catch (error) {
      signal.throwIfAborted()
      throw connectionError(error, address, false)
    }
  }

  async function textOf(response: Dispatcher.ResponseData, signal: AbortSignal): Promise<string> {
    let text = ''
    try {
      for await (const line of readLines(response.body, { lineCharacters: MAX_BYTES, wireBytes: MAX_BYTES }, address))
        text += `${line}\n`
    } catch (error) {
      signal.throwIfAborted()
      throw connectionError(error, address, true)
    }
    return text
  }

  async function refuseUnlessOk(
    response: Dispatcher.ResponseData,
    ask: HttpRequest,
    signal: AbortSignal,
  ): Promise<void> {
    const { statusCode: status } = response
    if (status < 300) return
    throw statusError({ status, text: await textOf(response, signal) }, address, ask.model ?? null)
  }

  /** Sends a short question and reads the answer with `read`, both within the time limit for questions. */
  async function exchanged<Answer>(
    ask: HttpRequest,
    signal: AbortSignal,
    read: (response: Dispatcher.ResponseData, signal: AbortSignal) => Promise<Answer>,
  ): Promise<Answer> {
    const within = AbortSignal.timeout(limits.askMs)
    const either = AbortSignal.any([signal, within])
    try {
      return await read(await send(ask, either), either)
    } catch (error) {
      if (!within.aborted || signal.aborted || error instanceof StudioError) throw error
      throw new StudioError('llm_timeout', 'The language model does not answer.', { hint: startHint(address) })
    }
  }

  async function parse<Shape extends z.ZodType>(
    response: Dispatcher.ResponseData,
    { ask, shape, signal }: { ask: HttpRequest; shape: Shape; signal: AbortSignal },
  ): Promise<z.output<Shape>> {
    await refuseUnlessOk(response, ask, signal)
    const parsed = shape.safeParse(parseJson(await textOf(response, signal)))
    if (!parsed.success) throw malformedAnswer(address)
    return parsed.data
  }

  return {
    address,
    request: (ask, shape, signal) =>
      exchanged(ask, signal, (response, within) => parse(response, { ask, shape, signal: within })),
    requestIfServed: (ask, shape, signal) =>
      exchanged(ask, signal, async (response, within) => {
        if (!NOT_SERVED.has(response.statusCode)) return parse(response, { ask, shape, signal: within })
        await textOf(response, within)
        return null
      }),
    async *lines(ask, signal) {
      const response = await send(ask, signal)
      try {
        await refuseUnlessOk(response, ask, signal)
        yield* readLines(response.body, limits, address)
      } catch (error) {
        signal.throwIfAborted()
        throw connectionError(error, address, true)
      } finally {
        response.body.destroy()
      }
    },
    close: () => dispatcher.destroy(),
  }
}

export interface LineLimits {
  lineCharacters: number
  wireBytes: number
}

/** The lines of a body as they end, without their ends; nothing is read ahead of what is taken. Throws `llm_answer` past a limit. */
export async function* readLines(
  chunks: AsyncIterable<Uint8Array>,
  limits: LineLimits,
  address: ServerAddress,
): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder()
  let bytes = 0
  let rest = ''
  for await (const chunk of chunks) {
    bytes += chunk.length
    if (bytes > limits.wireBytes) throw answerTooLarge(address)
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop()!
    for (const line of lines) yield whole(line)
    if (rest.length > limits.lineCharacters) throw answerTooLarge(address)
  }
  rest += decoder.decode()
  if (rest !== '') yield whole(rest)

  function whole(line: string): string {
    if (line.length > limits.lineCharacters) throw answerTooLarge(address)
    return line.endsWith('\r') ? line.slice(0, -1) : line
  }
}
