import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

export interface StubRequest {
  method: string
  /** Without the organization, decoded: `/Parts Shop/_apis/wit/wiql`. */
  path: string
  /** The raw path with its query. */
  rawUrl: string
  query: URLSearchParams
  headers: IncomingHttpHeaders
  /** Parsed if it is JSON, which it is unless it is a form; null without one. */
  body: any
}

export interface Reply {
  status?: number
  headers?: Record<string, string>
  json?: unknown
  text?: string | Buffer
  /** Closes the connection after so many bytes of the body. */
  cutAfter?: number
  /** Sends nothing after so many bytes of the body, and leaves the connection open. */
  stallAfter?: number
}

/** `reset` closes the connection without a response; `silence` never responds. */
export type Behaviour = Reply | 'reset' | 'silence'

export interface Stub {
  /** With the organization. */
  url: string
  requests: StubRequest[]
  /** The requests whose paths match. */
  requestsTo(path: RegExp): StubRequest[]
}

const organization = 'works'

/** A server whose responses the test defines. It is closed at the end of the test. */
export async function startStub(answer: (request: StubRequest) => Behaviour | Promise<Behaviour>): Promise<Stub> {
  const requests: StubRequest[] = []
  const server = createServer(async (request, response) => {
    const one = await readRequest(request)
    requests.push(one)
    try {
      send(await answer(one), request, response)
    } catch (error) {
      // The test fails with the error instead of waiting for a response.
      request.socket.destroy()
      throw error
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/${organization}`,
    requests,
    requestsTo: (path) => requests.filter((one) => path.test(one.path)),
  }
}

async function readRequest(request: IncomingMessage): Promise<StubRequest> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const text = Buffer.concat(chunks).toString('utf8')
  const url = new URL(request.url!, 'http://stub')
  return {
    method: request.method!,
    path: decodeURIComponent(url.pathname).replace(`/${organization}`, ''),
    rawUrl: request.url!.replace(`/${organization}`, ''),
    query: url.searchParams,
    headers: request.headers,
    body: text === '' ? null : /^[[{]/.test(text) ? JSON.parse(text) : text,
  }
}

function send(behaviour: Behaviour, request: IncomingMessage, response: ServerResponse): void {
  if (behaviour === 'silence') return
  if (behaviour === 'reset') {
    request.socket.destroy()
    return
  }
  const { status = 200, headers = {}, cutAfter, stallAfter } = behaviour
  const body = Buffer.from(behaviour.text ?? JSON.stringify(behaviour.json))
  const type = behaviour.text === undefined ? 'application/json; charset=utf-8; api-version=7.1' : 'text/html'
  response.writeHead(status, { 'content-type': type, 'content-length': body.length, ...headers })
  const part = cutAfter ?? stallAfter
  if (part === undefined) {
    response.end(body)
    return
  }
  response.write(body.subarray(0, part), () => {
    if (cutAfter !== undefined) request.socket.destroy()
  })
}
