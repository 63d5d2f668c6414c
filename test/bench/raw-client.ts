import { connect, type Socket } from 'node:net'

export interface Answer {
  status: number
  body: string
}

/**
 * A minimal client with one persistent connection and one request at a time, so that the benchmark measures the server. It supports
 * the responses of our server: a status, a length and a body.
 */
export class RawClient {
  readonly #socket: Socket
  readonly #host: string
  #received = ''
  #waiting: { resolve(answer: Answer): void; reject(error: Error): void } | null = null

  constructor(url: string) {
    const { hostname, port, host } = new URL(url)
    this.#host = host
    this.#socket = connect(Number(port), hostname)
    this.#socket.setNoDelay(true)
    this.#socket.setEncoding('latin1')
    this.#socket.on('data', (part) => this.#take(String(part)))
    const lost = (error?: Error) => this.#waiting?.reject(error ?? new Error('the server has closed the connection'))
    this.#socket.on('error', lost).on('close', () => lost())
  }

  get(path: string, headers = ''): Promise<Answer> {
    return this.#send('GET', path, `${headers}\r\n`)
  }

  post(path: string, headers: string, body: string): Promise<Answer> {
    const length = `Content-Length: ${Buffer.byteLength(body)}\r\n`
    return this.#send('POST', path, `Content-Type: application/json\r\n${headers}${length}\r\n${body}`)
  }

  #send(method: string, path: string, rest: string): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject }
      this.#socket.write(`${method} ${path} HTTP/1.1\r\nHost: ${this.#host}\r\n${rest}`)
    })
  }

  close(): void {
    this.#waiting = null
    this.#socket.destroy()
  }

  #take(part: string): void {
    this.#received += part
    const end = this.#received.indexOf('\r\n\r\n')
    if (end < 0) return
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(this.#received)?.[1])
    const bodyAt = end + 4
    if (this.#received.length < bodyAt + length) return
    const answer = { status: Number(this.#received.slice(9, 12)), body: this.#received.slice(bodyAt, bodyAt + length) }
    this.#received = this.#received.slice(bodyAt + length)
    this.#waiting?.resolve(answer)
  }
}
