import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** The connections of a server, each of which answers one request after the other. */
export interface PacedConnections {
  /** To be called for each request before anything else. */
  begin(incoming: IncomingMessage, outgoing: ServerResponse): void
  /** The response that is in progress on a connection. */
  findResponse(socket: Socket): ServerResponse | null
}

/**
 * Makes a server read the next request of a connection only when the one before it is answered and its answer has left. Node parses
 * all that a client has pipelined at once, and holds a request and an answer for each: some megabytes for every connection of a client
 * that sends thousands of requests and reads nothing. Here the unread requests stay in the kernel's buffer, whose size is bounded.
 * It has to see the bytes of a connection before they are parsed, so it cannot be middleware.
 * @param answered called when a response has ended.
 */
export function paceConnections(server: Server, answered: () => void): PacedConnections {
  const inputs = new WeakMap<Socket, PacedInput>()
  const before = new WeakMap<Socket, Listeners>()
  server.prependListener('connection', (socket) => before.set(socket, listenersOf(socket)))
  server.on('connection', (socket) => {
    const parser = addedSince(before.get(socket)!, listenersOf(socket))
    inputs.set(socket, new PacedInput(socket, parser, answered))
  })
  return {
    begin: (incoming, outgoing) => inputs.get(incoming.socket)?.begin(incoming, outgoing),
    findResponse: (socket) => inputs.get(socket)?.response ?? null,
  }
}

type Listener = (...args: unknown[]) => void

/** What takes the bytes of a connection, and its end. */
interface Listeners {
  data: Listener[]
  end: Listener[]
}

function listenersOf(socket: Socket): Listeners {
  return { data: socket.listeners('data') as Listener[], end: socket.listeners('end') as Listener[] }
}

function addedSince(before: Listeners, after: Listeners): Listeners {
  return {
    data: after.data.filter((listener) => !before.data.includes(listener)),
    end: after.end.filter((listener) => !before.end.includes(listener)),
  }
}

const NOTHING = Buffer.alloc(0)

/** What has arrived on one connection, and goes to the parser piece by piece. */
class PacedInput {
  #unread: Buffer = NOTHING
  /** The client has ended its side after requests that are still unread. */
  #isEnding = false
  #isFeeding = false
  /** Whether this paused the socket. Where the server has paused it, its parser must get nothing. */
  #hasPaused = false
  #unanswered = 0
  /** The request whose body may still be arriving. */
  #newest: IncomingMessage | null = null
  /** Of the newest request; null if it has ended. */
  response: ServerResponse | null = null

  /** Takes the place of the parser's listeners, which must be attached already. */
  constructor(
    private readonly socket: Socket,
    private readonly parser: Listeners,
    private readonly answered: () => void,
  ) {
    for (const listener of parser.data) socket.off('data', listener)
    for (const listener of parser.end) socket.off('end', listener)
    socket.on('data', (bytes: Buffer) => {
      this.#unread = this.#unread.length === 0 ? bytes : Buffer.concat([this.#unread, bytes])
      this.#feed()
    })
    socket.on('end', () => {
      if (this.#unread.length === 0) this.#end()
      else this.#isEnding = true
    })
    // The server resumes a connection by itself, as after it has thrown away a body.
    socket.on('resume', () => this.#feed())
  }

  /** Notes that a request began. */
  begin(incoming: IncomingMessage, outgoing: ServerResponse): void {
    this.#newest = incoming
    this.response = outgoing
    this.#unanswered++
    outgoing.on('close', () => {
      this.#unanswered--
      if (this.response === outgoing) this.response = null
      this.answered()
      this.#feed()
    })
  }

  #feed(): void {
    const { socket } = this
    if (this.#isFeeding) return
    this.#isFeeding = true
    if (this.#hasPaused && this.#mayGoOn()) {
      this.#hasPaused = false
      socket.resume()
    }
    while (this.#unread.length > 0 && this.#mayGoOn() && !socket.isPaused()) this.#give(this.#takePiece())
    if (this.#unread.length > 0 && !socket.isPaused()) {
      this.#hasPaused = true
      socket.pause()
    }
    this.#isFeeding = false
    if (this.#isEnding && this.#unread.length === 0 && this.#unanswered === 0) this.#end()
  }

  /** The body of a request that is being answered goes on. After the last answer nothing does. */
  #mayGoOn(): boolean {
    if (!this.socket.writable) return false
    return this.#unanswered === 0 || this.#isInBody()
  }

  #isInBody(): boolean {
    return this.#newest !== null && !this.#newest.complete
  }

  #give(piece: Buffer): void {
    for (const listener of this.parser.data) listener.call(this.socket, piece)
  }

  #end(): void {
    this.#isEnding = false
    for (const listener of this.parser.end) listener.call(this.socket)
  }

  /** Of requests without a body one; of a body, which ends somewhere in it, a small piece. */
  #takePiece(): Buffer {
    const unread = this.#unread
    const end = this.#isInBody() ? BODY_PIECE_BYTES : endOfHeaders(unread)
    this.#unread = end >= unread.length ? NOTHING : unread.subarray(end)
    return end >= unread.length ? unread : unread.subarray(0, end)
  }
}

/** As many requests as fit into the rest of such a piece are read at once. */
const BODY_PIECE_BYTES = 1_024

const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d

/** After the first blank line, or all of it where there is none. A loop takes less time than a call of `indexOf` for usual headers. */
function endOfHeaders(bytes: Buffer): number {
  for (let i = 2; i < bytes.length; i++)
    if (bytes[i] === LINE_FEED && bytes[i - 1] === CARRIAGE_RETURN && bytes[i - 2] === LINE_FEED) return i + 1
  return bytes.length
}
