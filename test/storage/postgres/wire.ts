import { connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

export interface Wire {
  /** The address of the database through the proxy. */
  address: string
  /** When the client sends this text: cuts the connection before or after it arrives, or forwards nothing from then on. */
  on(word: string, fault: 'cut before' | 'cut after' | 'go silent'): void
  /** What clients have sent since the last call. */
  takeSent(): string
  /** Cuts all current connections. */
  cut(): void
}

/** A proxy to a server that can cut a connection at a given text. */
export async function openWire(address: string): Promise<Wire> {
  const target = new URL(address)
  const open = new Set<Socket>()
  let trap: { word: string; fault: 'cut before' | 'cut after' | 'go silent' } | null = null
  let sent = ''
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname)
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      open.add(socket)
      socket.on('error', () => {}).on('close', () => other.destroy())
    }
    let silent = false
    client.on('data', (chunk) => {
      sent += chunk.toString('latin1')
      if (silent) return
      if (!trap || !chunk.includes(trap.word)) return void upstream.write(chunk)
      const { fault } = trap
      trap = null
      silent = true
      if (fault === 'cut before') client.destroy()
      if (fault === 'cut after') upstream.write(chunk)
    })
    upstream.on('data', (chunk) => (silent ? client.destroy() : client.write(chunk)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const cut = () => {
    for (const socket of open) socket.destroy()
  }
  onTestFinished(() => {
    cut()
    server.close()
  })
  const { port } = server.address() as { port: number }
  return {
    address: address.replace(`:${target.port}/`, `:${port}/`),
    on: (word, fault) => {
      trap = { word, fault }
    },
    takeSent() {
      const taken = sent
      sent = ''
      return taken
    },
    cut,
  }
}
