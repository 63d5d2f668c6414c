import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { Network } from './network'

/** A server on the machine that sends back what it gets, and a client elsewhere. */
async function connectThrough(network: Network, machine = 'a') {
  network.addMachine(machine, () => [])
  const sockets: Socket[] = []
  const server = createServer((socket) => {
    sockets.push(socket)
    socket.on('error', () => {}).pipe(socket)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const port = await network.reach(machine, (server.address() as { port: number }).port)
  const open = () => {
    const client = connect(port, '127.0.0.1').setEncoding('utf8')
    const received = { text: '', isClosed: false }
    client.on('data', (part) => {
      received.text += part
    })
    client.on('close', () => {
      received.isClosed = true
    })
    onTestFinished(() => void client.destroy())
    return { client, received }
  }
  onTestFinished(() => {
    network.close()
    server.close()
  })
  return { open, sockets }
}

describe('the network of the cluster', () => {
  it('forwards in both directions, and closes both ends', async () => {
    const { open, sockets } = await connectThrough(new Network())
    const { client, received } = open()
    client.write('ping')
    await expect.poll(() => received.text).toBe('ping')
    sockets[0]!.destroy()
    await expect.poll(() => received.isClosed).toBe(true)
  })

  it('delivers nothing and closes nothing while a machine is cut off, and all of it when it is healed', async () => {
    const network = new Network()
    const { open, sockets } = await connectThrough(network)
    const early = open()
    early.client.write('1')
    await expect.poll(() => early.received.text).toBe('1')
    network.cutOff('a')
    early.client.write('2')
    const late = open()
    late.client.write('3')
    const other = await connectThrough(new Network())
    const witness = other.open()
    witness.client.write('4')
    await expect.poll(() => witness.received.text).toBe('4')
    expect([early.received, late.received]).toEqual([
      { text: '1', isClosed: false },
      { text: '', isClosed: false },
    ])
    expect(sockets).toHaveLength(1)
    network.heal('a')
    await expect.poll(() => [early.received.text, late.received.text]).toEqual(['12', '3'])
  })

  it('delivers each byte once between machines that were not cut off', async () => {
    const network = new Network()
    await connectThrough(network, 'a')
    const { open } = await connectThrough(network, 'b')
    const { client, received } = open()
    client.write('1')
    await expect.poll(() => received.text).toBe('1')
    network.cutOff('a')
    network.heal('a')
    client.end('2')
    await expect.poll(() => received.isClosed).toBe(true)
    expect(received.text).toBe('12')
  })

  it('reports to the other end after the cut that one end has closed', async () => {
    const network = new Network()
    const { open, sockets } = await connectThrough(network)
    const { client, received } = open()
    client.write('1')
    await expect.poll(() => received.text).toBe('1')
    network.cutOff('a')
    sockets[0]!.destroy()
    await once(sockets[0]!, 'close')
    expect(received.isClosed).toBe(false)
    network.heal('a')
    await expect.poll(() => received.isClosed).toBe(true)
  })
})
