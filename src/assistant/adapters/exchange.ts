import { Agent, type Dispatcher, request } from 'undici'
import type { z } from 'zod'
import { StudioError } from '../../kernel'
import type { Limits } from '../limits'
import { faultOfSilence, faultOfStatus, howToStart, malformed, type ServerAddress } from './fault'
import { linesOf } from './lines'

export interface Ask {
  method: 'GET' | 'POST'
  path: string
  body?: unknown
  /** The model that it is about, for words. */
  model?: string
}

export interface Exchange {
  readonly address: ServerAddress
  /** A short question, answered whole and in the given shape. */
  ask<Shape extends z.ZodType>(ask: Ask, shape: Shape, signal: AbortSignal): Promise<z.output<Shape>>
  /** Sends once, and gives the answer's lines as they come. Closing it early ends the request, and with it the server's work. */
  lines(ask: Ask, signal: AbortSignal): AsyncGenerator<string, void, undefined>
  close(): Promise<void>
}

const MOST_BYTES = 4 * 1024 * 1024

/**
 * The one request function: every byte to and from the model passes here. The client's own time limits are off: no header comes until a
 * model is loaded, and who waits for it knows better how long that may take.
 */
export function openExchange(address: ServerAddress, limits: Limits): Exchange {
  const dispatcher = new Agent({
    connect: { timeout: limits.connectMs },
    headersTimeout: 0,
    bodyTimeout: 0,
    // Each request has a connection of its own: a server may close one that is kept just when the next request leaves.
    pipelining: 0,
  })

  async function send(ask: Ask, signal: AbortSignal): Promise<Dispatcher.ResponseData> {
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
      throw faultOfSilence(error, address, false)
    }
  }

  async function textOf(response: Dispatcher.ResponseData, signal: AbortSignal): Promise<string> {
    let text = ''
    try {
      for await (const line of linesOf(response.body, { lineCharacters: MOST_BYTES, wireBytes: MOST_BYTES }, address))
        text += `${line}\n`
    } catch (error) {
      signal.throwIfAborted()
      throw faultOfSilence(error, address, true)
    }
    return text
  }

  async function refuseUnlessOk(response: Dispatcher.ResponseData, ask: Ask, signal: AbortSignal): Promise<void> {
    const { statusCode: status } = response
    if (status < 300) return
    throw faultOfStatus({ status, text: await textOf(response, signal) }, address, ask.model ?? null)
  }

  return {
    address,
    async ask(ask, shape, signal) {
      const within = AbortSignal.timeout(limits.askMs)
      const either = AbortSignal.any([signal, within])
      try {
        const response = await send(ask, either)
        await refuseUnlessOk(response, ask, either)
        const parsed = shape.safeParse(jsonOf(await textOf(response, either)))
        if (!parsed.success) throw malformed(address)
        return parsed.data
      } catch (error) {
        if (!within.aborted || signal.aborted || error instanceof StudioError) throw error
        throw new StudioError('llm_timeout', 'The language model does not answer.', { hint: howToStart(address) })
      }
    },
    async *lines(ask, signal) {
      const response = await send(ask, signal)
      try {
        await refuseUnlessOk(response, ask, signal)
        yield* linesOf(response.body, limits, address)
      } catch (error) {
        signal.throwIfAborted()
        throw faultOfSilence(error, address, true)
      } finally {
        response.body.destroy()
      }
    },
    close: () => dispatcher.destroy(),
  }
}

export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
