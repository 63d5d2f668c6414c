import { PassThrough } from 'node:stream'
import type { Transport } from '@modelcontextprotocol/server'
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio'

type Message = Parameters<NonNullable<Transport['onmessage']>>[0]
type RequestId = string | number

/**
 * Standard input and output for the protocol. The transport of the library closes when its input ends, and drops unfinished answers.
 * This one stays open, and `drained` resolves when every request has its answer.
 */
export class DrainingStdio implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: NonNullable<Transport['onmessage']>
  readonly #input = new PassThrough()
  readonly #wire = new StdioServerTransport(this.#input)
  readonly #unanswered = new Set<RequestId>()
  #hasEnded = false
  #drained: () => void = () => {}
  readonly drained = new Promise<void>((resolve) => {
    this.#drained = resolve
  })

  async start(): Promise<void> {
    this.#wire.onclose = () => {
      this.#drained()
      this.onclose?.()
    }
    this.#wire.onerror = (error) => this.onerror?.(error)
    this.#wire.onmessage = (message: Message) => {
      this.#noteArrival(message)
      this.onmessage?.(message)
    }
    await this.#wire.start()
    // The last message may lack its line end. An empty line is skipped.
    const end = () => this.#input.write('\n', () => setImmediate(() => this.#noteEnd()))
    process.stdin.once('end', end).once('close', end)
    process.stdin.pipe(this.#input, { end: false })
  }

  async send(...args: Parameters<Transport['send']>): Promise<void> {
    const [message] = args
    try {
      await this.#wire.send(message)
    } finally {
      if (!('method' in message) && message.id !== undefined) this.#settle(message.id)
    }
  }

  async close(): Promise<void> {
    process.stdin.unpipe(this.#input)
    process.stdin.pause()
    await this.#wire.close()
  }

  /** A cancelled request gets no answer, and a subscription lasts as long as the connection. */
  #noteArrival(message: Message): void {
    if (!('method' in message)) return
    if ('id' in message) {
      if (message.method !== 'subscriptions/listen') this.#unanswered.add(message.id)
    } else if (message.method === 'notifications/cancelled') {
      this.#settle((message.params as { requestId?: RequestId } | undefined)?.requestId)
    }
  }

  #settle(id: RequestId | undefined): void {
    if (id !== undefined) this.#unanswered.delete(id)
    if (this.#hasEnded && this.#unanswered.size === 0) this.#drained()
  }

  #noteEnd(): void {
    this.#hasEnded = true
    this.#settle(undefined)
  }
}
