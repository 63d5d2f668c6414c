import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What goes wrong or slowly in one answer. */
export interface Fault {
  /** The stub sends nothing before this resolves, like a server that loads a model. */
  loading?: Promise<unknown>
  /** Responds with this status and an error body. */
  status?: { code: number; message: string; type?: string }
  /** Sends an error after so many pieces, although the status was 200. */
  errorAfter?: { pieces: number; message: string }
  /** Sends nothing after so many pieces, and leaves the connection open. */
  silentAfter?: number
  /** Closes the connection after so many pieces. */
  cutAfter?: number
  /** Sends a line that is not JSON after so many pieces. */
  malformedAfter?: number
  /** Ends the response properly after so many pieces, but without its last line. */
  endAfter?: number
}

export interface Reply extends Fault {
  /** A function is called for the next piece when the last one was sent, and returns null at the end. */
  pieces?: readonly string[] | ((at: number) => string | null | Promise<string | null>)
  /** The thinking before the answer. */
  thinking?: readonly string[]
  /** Sent in the place of an answer, by a server of the openai API. */
  refusal?: readonly string[]
  /** The reason for the end; `stop` by default. */
  reason?: 'stop' | 'length' | 'content_filter'
  promptTokens?: number
  responseTokens?: number
}

export interface ModelRequest {
  path: string
  authorization: string | null
  body: any
}

export interface StubModel {
  url: string
  /** All requests, in order. */
  asked: ModelRequest[]
  /** The bodies of the chat requests. */
  chats(): any[]
  /** Resolves when the caller has aborted the chat request with this number (from 0). */
  cancelled(chat: number): Promise<number>
  /** Resolves when so many chats have been requested. */
  chatsAsked(count: number): Promise<void>
  close(): Promise<void>
}

export interface StubSettings {
  /** The first chat gets the first reply; the last one is repeated. */
  replies?: readonly Reply[] | ((body: any, chat: number) => Reply)
  models?: readonly { name: string; family?: string }[]
  /** The maximum context of each model. */
  contextLength?: number
  /** The token that the server accepts at the moment; without it, the server requires none. */
  token?: () => string
  /** If false, the server is too old to report loaded models and their context. */
  hasDetails?: boolean
}

/** A model server with both APIs, whose answers and failures the test sets. */
export async function startStubModel(settings: StubSettings = {}): Promise<StubModel> {
  const { replies = [{ pieces: ['Hello', ' there', '.'] }], models = [{ name: 'stub:latest' }] } = settings
  const asked: ModelRequest[] = []
  const ends: PromiseWithResolvers<number>[] = []
  const endOf = (chat: number) => (ends[chat] ??= withResolvers<number>())
  const waiting: { count: number; resolve(): void }[] = []
  let chats = 0
  const replyFor = (body: any, chat: number): Reply =>
    typeof replies === 'function' ? replies(body, chat) : replies[Math.min(chat, replies.length - 1)]!

  const server = createServer(async (request, response) => {
    const path = request.url!.split('?')[0]!
    const closed = new Promise<number>((resolve) => response.once('close', () => resolve(performance.now())))
    const body = await bodyOf(request)
    asked.push({ path, authorization: request.headers.authorization ?? null, body })
    const wire = path.startsWith('/v1/') ? openai : ollama
    if (settings.token !== undefined && request.headers.authorization !== `Bearer ${settings.token()}`)
      return json(response, wire.error('invalid key', 'authentication_error'), 401)
    if (path === '/api/tags' || path === '/v1/models') return json(response, wire.models(models, settings))
    if (settings.hasDetails === false && /ps|show/.test(path)) return json(response, { error: 'not found' }, 404)
    if (path === '/api/ps') {
      return json(response, { models: models.slice(0, 1).map(({ name }) => ({ name })) })
    }
    if (path === '/api/show') {
      return json(response, { model_info: { 'stub.context_length': settings.contextLength ?? 32_768 } })
    }
    if (path !== '/api/chat' && path !== '/v1/chat/completions') return json(response, { error: 'no such path' }, 404)
    if (path === '/api/chat' && body.messages.length === 0) return json(response, { model: body.model, done: true })
    const chat = chats++
    for (const waiter of waiting) if (chats >= waiter.count) waiter.resolve()
    void closed.then((at) => {
      if (!response.writableFinished) endOf(chat).resolve(at)
    })
    await answer(response, replyFor(body, chat), wire, body.model)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    chats: () =>
      asked.filter(({ path, body }) => /chat/.test(path) && body.messages.length > 0).map(({ body }) => body),
    cancelled: (chat) => endOf(chat).promise,
    chatsAsked: (count) =>
      chats >= count ? Promise.resolve() : new Promise((resolve) => waiting.push({ count, resolve })),
    close: () => closeAll(server),
  }
}

interface Wire {
  models(models: NonNullable<StubSettings['models']>, settings: StubSettings): unknown
  type: string
  piece(text: string, model: string): string
  thought(text: string, model: string): string
  refused(text: string, model: string): string
  error(message: string, type?: string): unknown
  errorLine(message: string): string
  end(reply: Reply, model: string): string
  malformed: string
}

const ollama: Wire = {
  models: (models) => ({
    models: models.map(({ name, family = 'stub' }) => ({
      name,
      model: name,
      modified_at: '2026-01-02T03:04:05.678Z',
      size: 2_019_393_189,
      digest: 'a'.repeat(64),
      details: { family, parameter_size: '3.2B', quantization_level: 'Q4_K_M' },
    })),
  }),
  type: 'application/x-ndjson',
  piece: (content, model) => line({ model, message: { role: 'assistant', content }, done: false }),
  thought: (thinking, model) => line({ model, message: { role: 'assistant', content: '', thinking }, done: false }),
  refused: () => {
    throw new Error('This API has no refusals.')
  },
  error: (error) => ({ error }),
  errorLine: (error) => line({ error }),
  end: ({ reason = 'stop', promptTokens = 7, responseTokens = 3 }, model) =>
    line({
      model,
      message: { role: 'assistant', content: '' },
      done: true,
      done_reason: reason,
      total_duration: 5_000_000,
      prompt_eval_count: promptTokens,
      eval_count: responseTokens,
    }),
  malformed: '{"model": oops\n',
}

const openai: Wire = {
  models: (models, { contextLength }) => ({
    object: 'list',
    data: models.map(({ name }) => ({
      id: name,
      object: 'model',
      created: 1_767_322_800,
      max_model_len: contextLength,
    })),
  }),
  type: 'text/event-stream',
  piece: (content, model) => event({ model, choices: [{ index: 0, delta: { content }, finish_reason: null }] }),
  thought: (reasoning_content, model) => event({ model, choices: [{ index: 0, delta: { reasoning_content } }] }),
  refused: (refusal, model) => event({ model, choices: [{ index: 0, delta: { refusal }, finish_reason: null }] }),
  error: (message, type = 'server_error') => ({ error: { message, type, param: null, code: null } }),
  errorLine: (message) => event({ error: { message, type: 'server_error', param: null, code: null } }),
  end: ({ reason = 'stop', promptTokens = 7, responseTokens = 3 }, model) =>
    [
      event({ model, choices: [{ index: 0, delta: {}, finish_reason: reason }] }),
      event({ model, choices: [], usage: { prompt_tokens: promptTokens, completion_tokens: responseTokens } }),
      'data: [DONE]\n\n',
    ].join(''),
  malformed: 'data: {"choices": oops\n\n',
}

async function answer(response: ServerResponse, reply: Reply, wire: Wire, model: string): Promise<void> {
  await reply.loading
  if (response.destroyed) return
  if (reply.status) return json(response, wire.error(reply.status.message, reply.status.type), reply.status.code)
  response.writeHead(200, { 'content-type': wire.type })
  for (const thought of reply.thinking ?? []) await put(response, wire.thought(thought, model))
  for (const text of reply.refusal ?? []) await put(response, wire.refused(text, model))
  const { pieces = [] } = reply
  const next = typeof pieces === 'function' ? pieces : (at: number) => pieces[at] ?? null
  for (let at = 0; !response.destroyed; at++) {
    if (reply.errorAfter?.pieces === at) {
      await put(response, wire.errorLine(reply.errorAfter.message))
      response.end()
      return
    }
    if (reply.silentAfter === at) return
    if (reply.cutAfter === at) {
      // The client must have received everything before the cut.
      await new Promise<void>((resolve) => response.write('\n', () => resolve()))
      return void response.socket?.destroy()
    }
    if (reply.malformedAfter === at) await put(response, wire.malformed)
    if (reply.endAfter === at) return void response.end()
    const piece = await next(at)
    if (piece === null) break
    await put(response, wire.piece(piece, model))
  }
  response.end(wire.end(reply, model))
}

/** Resolves when the client can receive more, or is gone. */
function put(response: ServerResponse, text: string): Promise<void> {
  if (response.destroyed || response.write(text)) return Promise.resolve()
  return new Promise((resolve) => {
    const go = () => {
      response.off('drain', go).off('close', go)
      resolve()
    }
    response.once('drain', go).once('close', go)
  })
}

function json(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

async function bodyOf(request: IncomingMessage): Promise<any> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const text = Buffer.concat(chunks).toString('utf8')
  return text === '' ? null : JSON.parse(text)
}

function line(value: unknown): string {
  return `${JSON.stringify(value)}\n`
}

function event(value: unknown): string {
  return `data: ${JSON.stringify(value)}\n\n`
}

function closeAll(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}

interface PromiseWithResolvers<Value> {
  promise: Promise<Value>
  resolve(value: Value): void
}

export function withResolvers<Value>(): PromiseWithResolvers<Value> {
  let resolve: (value: Value) => void = () => {}
  const promise = new Promise<Value>((resolvePromise) => {
    resolve = resolvePromise
  })
  return { promise, resolve }
}
