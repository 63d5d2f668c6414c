import { connect, type Socket } from 'node:net'

/** A request as bytes, and its name in the results. */
export interface WireRequest {
  name: string
  bytes: Buffer
}

/** A request on a connection that stays open. */
export function wireRequest(
  host: string,
  method: string,
  path: string,
  { body, headers = {} }: { body?: unknown; headers?: Record<string, string> } = {},
): WireRequest {
  const text = body === undefined ? '' : JSON.stringify(body)
  const own: Record<string, string> = { Host: host, ...headers }
  if (text)
    Object.assign(own, { 'Content-Type': 'application/json', 'Content-Length': String(Buffer.byteLength(text)) })
  const lines = Object.entries(own).map(([name, value]) => `${name}: ${value}`)
  return {
    name: `${method} ${path}`,
    bytes: Buffer.from([`${method} ${path} HTTP/1.1`, ...lines, '', text].join('\r\n')),
  }
}

/** The status of the response, and its duration. */
export type Answered = (status: number, milliseconds: number) => void

/**
 * Sends one request at a time on each of `connections` until `next` returns none. It supports only the HTTP features that our
 * server uses (a length or chunks), so that it uses little CPU compared with the server.
 */
export async function drive(
  target: { host: string; port: number; connections: number },
  next: () => WireRequest | null,
  answered: Answered,
): Promise<void> {
  await Promise.all(Array.from({ length: target.connections }, () => driveOne(target, next, answered)))
}

function driveOne(
  { host, port }: { host: string; port: number },
  next: () => WireRequest | null,
  answered: Answered,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket: Socket = connect({ host, port, noDelay: true })
    let received: Buffer = Buffer.alloc(0)
    let sentAt = 0
    const send = () => {
      const request = next()
      if (request === null) {
        socket.end()
        return resolve()
      }
      sentAt = performance.now()
      socket.write(request.bytes)
    }
    socket.once('connect', send)
    socket.on('data', (chunk: Buffer) => {
      received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
      const end = answerEnd(received)
      if (end < 0) return
      answered(Number(received.toString('latin1', 9, 12)), performance.now() - sentAt)
      received = received.subarray(end)
      send()
    })
    socket.once('error', reject)
    socket.once('close', () => reject(new Error('The server closed the connection.')))
  })
}

/** The end of the response, or -1 if it is incomplete. */
function answerEnd(received: Buffer): number {
  const headEnd = received.indexOf('\r\n\r\n')
  if (headEnd < 0) return -1
  const head = received.toString('latin1', 0, headEnd)
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)
  if (length) return received.length >= headEnd + 4 + Number(length[1]) ? headEnd + 4 + Number(length[1]) : -1
  if (head.startsWith('HTTP/1.1 304')) return headEnd + 4
  const lastChunk = received.indexOf('0\r\n\r\n', headEnd + 4)
  return lastChunk < 0 ? -1 : lastChunk + 5
}
