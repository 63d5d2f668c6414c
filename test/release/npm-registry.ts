import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { basename } from 'node:path'
import type { AtEnd } from '../contract/program'

interface Manifest {
  name: string
  version: string
}

/** A registry on this machine with one package, which can only be read. Returns its address. */
export async function serveRegistry(tarball: string, manifest: Manifest, atEnd: AtEnd) {
  const bytes = readFileSync(tarball)
  const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`
  const tarballPath = `/${manifest.name}/-/${basename(tarball)}`
  const asked: string[] = []
  const server = createServer(({ url, headers }, response) => {
    asked.push(url!)
    if (url === tarballPath) return response.end(bytes)
    if (url !== `/${manifest.name}`) return response.writeHead(404, { 'Content-Type': 'application/json' }).end('{}')
    const { name, version } = manifest
    const dist = { integrity, tarball: `http://${headers.host}${tarballPath}` }
    response.setHeader('Content-Type', 'application/json')
    return response.end(
      JSON.stringify({ name, 'dist-tags': { latest: version }, versions: { [version]: { ...manifest, dist } } }),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  atEnd(async () => {
    server.closeAllConnections()
    server.close()
  })
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, asked, tarballPath }
}
