import { connect, createServer, type Server, type Socket } from 'node:net'
import { listLocalPorts } from './processes'

/** A computer of the cluster. */
interface Machine {
  /** The processes on it. */
  listPids(): readonly number[]
  isCutOff: boolean
}

interface Connection {
  client: Socket
  /** Null until the connection is first allowed. */
  server: Socket | null
  /** The machine at each end; null is outside. */
  from: Machine | null
  to: Machine | null
  port: number
}

/**
 * Forwards the TCP connections that cross the border of a machine, and can cut a machine off: then no byte passes in either direction, no
 * connection is closed, and new ones get no answer. Healed, both ends get what the other one has sent, as TCP sends again what was lost.
 */
export class Network {
  readonly #machines = new Map<string, Machine>()
  readonly #servers: Server[] = []
  readonly #connections = new Set<Connection>()

  addMachine(name: string, listPids: () => readonly number[]): void {
    this.#machines.set(name, { listPids, isCutOff: false })
  }

  /** The port at which all others reach a port of the machine. */
  reach(machine: string, port: number): Promise<number> {
    return this.#forward(port, () => ({ from: null, to: this.#machines.get(machine)! }))
  }

  /** The port at which the machine reaches a port outside. */
  leave(machine: string, port: number): Promise<number> {
    return this.#forward(port, () => ({ from: this.#machines.get(machine)!, to: null }))
  }

  cutOff(name: string): void {
    const machine = this.#machines.get(name)!
    machine.isCutOff = true
    this.#findSources()
    for (const connection of this.#connections) if (isHeld(connection)) hold(connection)
  }

  heal(name: string): void {
    // A connection that was not held still forwards: resumed, it would deliver every byte twice.
    const held = [...this.#connections].filter(isHeld)
    this.#machines.get(name)!.isCutOff = false
    for (const connection of held) if (!isHeld(connection)) this.#resume(connection)
  }

  close(): void {
    for (const server of this.#servers) server.close()
    for (const connection of this.#connections) this.#end(connection)
  }

  #forward(port: number, ends: () => Pick<Connection, 'from' | 'to'>): Promise<number> {
    const server = createServer({ allowHalfOpen: true, noDelay: true, pauseOnConnect: true }, (client) => {
      const connection: Connection = { client, server: null, ...ends(), port }
      this.#connections.add(connection)
      this.#watch(connection, client)
      if ([...this.#machines.values()].some(({ isCutOff }) => isCutOff)) this.#findSources()
      if (!isHeld(connection)) this.#open(connection)
    })
    this.#servers.push(server)
    return new Promise((resolve) => {
      server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port))
    })
  }

  #open(connection: Connection): void {
    const server = connect({ port: connection.port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true })
    connection.server = server
    this.#watch(connection, server)
    connection.client.pipe(server)
    server.pipe(connection.client)
  }

  #resume(connection: Connection): void {
    const { client, server } = connection
    if (server === null) this.#open(connection)
    else if (client.destroyed || server.destroyed) this.#end(connection)
    else {
      client.pipe(server)
      server.pipe(client)
    }
  }

  #end(connection: Connection): void {
    this.#connections.delete(connection)
    connection.client.destroy()
    connection.server?.destroy()
  }

  /** Closes the other end when one is closed, unless the machine is cut off: then the other end learns of it later. */
  #watch(connection: Connection, socket: Socket): void {
    socket
      .on('error', () => {})
      .on('close', () => {
        if (!isHeld(connection)) this.#end(connection)
      })
  }

  /** Finds out which machine has opened each connection: all use the same address to reach a machine. */
  #findSources(): void {
    for (const machine of this.#machines.values()) {
      if (!machine.isCutOff) continue
      const ports = listLocalPorts(machine.listPids())
      for (const connection of this.#connections)
        if (connection.from === null && ports.has(connection.client.remotePort!)) connection.from = machine
    }
  }
}

function isHeld({ from, to }: Connection): boolean {
  return from !== to && (from?.isCutOff === true || to?.isCutOff === true)
}

function hold({ client, server }: Connection): void {
  if (server === null) return
  client.unpipe(server).pause()
  server.unpipe(client).pause()
}
