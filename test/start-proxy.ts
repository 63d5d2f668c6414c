import { createServer, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { onTestFinished } from 'vitest'

/** A proxy that connects every tunnel to one server, or refuses it with this status. It notes the requests. */
export async function startProxy(target: string | null, refusal = 407) {
  const requests: { host: string; authorization: string | undefined }[] = []
  const server = createServer()
  server.on('connect', (request: IncomingMessage, socket, head) => {
    requests.push({ host: request.url!, authorization: request.headers['proxy-authorization'] })
    if (target === null) return socket.end(`HTTP/1.1 ${refusal} No\r\nContent-Length: 0\r\n\r\n`)
    const upstream = connect(Number(new URL(target).port), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      upstream.write(head)
      upstream.pipe(socket)
      socket.pipe(upstream)
    })
    upstream.on('error', () => socket.destroy())
    socket.on('error', () => upstream.destroy())
    onTestFinished(() => {
      upstream.destroy()
      socket.destroy()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://ana:p%40ss@127.0.0.1:${(server.address() as AddressInfo).port}`, requests }
}
