import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { request as forward } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startProxy } from '../../start-proxy'
import { temporaryFolder } from '../../temporary-folder'
import { firstJsonLine, program } from '../program'
import { expectQuoted } from './namespace'

const hasOpenssl = spawnSync('openssl', ['version']).status === 0
if (!hasOpenssl) console.log('Certificates of an own authority are not tested: openssl is not installed.')

/** An authority of one's own, and a certificate for this machine that it has signed. */
function createAuthority() {
  const folder = temporaryFolder()
  const openssl = (args: string) => execFileSync('openssl', args.split(' '), { cwd: folder, stdio: 'ignore' })
  writeFileSync(join(folder, 'names'), 'subjectAltName=DNS:localhost,IP:127.0.0.1')
  openssl('req -x509 -newkey rsa:2048 -nodes -keyout ca.key -out ca.pem -days 2 -subj /CN=Authority')
  openssl('req -newkey rsa:2048 -nodes -keyout key.pem -out request.pem -subj /CN=localhost')
  openssl('x509 -req -in request.pem -CA ca.pem -CAkey ca.key -CAcreateserial -out cert.pem -days 2 -extfile names')
  const read = (name: string) => readFileSync(join(folder, name))
  return { file: join(folder, 'ca.pem'), key: read('key.pem'), cert: read('cert.pem') }
}

/** The sandbox behind a certificate of that authority, and the settings for it. */
async function openTracker() {
  const authority = createAuthority()
  const studio = await program()
  const sandbox = (await program()).start(['sandbox', '--port', '0', '--json'])
  const { port: behind } = new URL((await firstJsonLine(sandbox)).url)
  const server = createServer({ key: authority.key, cert: authority.cert }, (request, response) => {
    const { url, method, headers } = request
    const sent = forward({ host: '127.0.0.1', port: behind, path: url, method, headers }, (answer) => {
      response.writeHead(answer.statusCode!, answer.headers)
      answer.pipe(response)
    })
    sent.on('error', () => response.destroy())
    request.pipe(sent)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const env = {
    STUDIO_TRACKER_KIND: 'azure-devops',
    STUDIO_TRACKER_URL: `https://localhost:${port}/quayside`,
    STUDIO_TRACKER_PROJECT: 'Harbor',
    STUDIO_TRACKER_TOKEN: 'x'.repeat(52),
  }
  const importItems = (more: Record<string, string> = {}) => studio.run(['import', '204'], { env: { ...env, ...more } })
  return { authority, importItems, port }
}

describe.runIf(hasOpenssl)('a tracker with a certificate of an own authority', () => {
  it('is read with NODE_EXTRA_CA_CERTS, which the message of its absence names', async () => {
    const { authority, importItems, port } = await openTracker()
    const refused = await importItems()
    expectQuoted({ ...refused, err: refused.err.replace(`localhost:${port}`, 'tracker.example.com') }, 7)
    const missing = await importItems({ NODE_EXTRA_CA_CERTS: '/missing.pem' })
    expect(missing).toMatchObject({
      exitCode: 7,
      err: expect.stringMatching(/Ignoring extra certs.*\n(.*\n)*.*not trusted/),
    })
    const { exitCode, err } = await importItems({ NODE_EXTRA_CA_CERTS: authority.file })
    expect([exitCode, err]).toEqual([0, ''])
  })

  it('is not asked through a proxy on this machine, whatever the proxy is', async () => {
    const { authority, importItems } = await openTracker()
    const { url, requests } = await startProxy(null)
    const env = { HTTPS_PROXY: url, https_proxy: 'http://ana:s3cret@nowhere.invalid:3128' }
    expect((await importItems({ ...env, NODE_EXTRA_CA_CERTS: authority.file })).exitCode).toBe(0)
    expect(requests).toEqual([])
  })
})

describe('a proxy', () => {
  const tracker = {
    STUDIO_TRACKER_URL: 'https://dev.azure.com/quayside',
    STUDIO_TRACKER_PROJECT: 'Harbor',
    STUDIO_TRACKER_TOKEN: 'x'.repeat(52),
  }

  it.each([[407], [403]])('that answers %i is named without its password', async (status) => {
    const studio = await program()
    const { url } = await startProxy(null, status)
    const ran = await studio.run(['import', '204'], { env: { ...tracker, https_proxy: url } })
    const plain = new URL(url).host
    expectQuoted(
      { ...ran, err: ran.err.replaceAll(plain, 'proxy.example.com:3128').replace(`(${status})`, '(407)') },
      7,
    )
    expect(ran.out + ran.err).not.toMatch(/p%40ss|p@ss|ana/)
  })

  it.each(['http://ana:s3cret@127.0.0.1:1', 'ana:s3cret@nowhere.invalid:3128'])(
    'that cannot be reached is named without its password: %s',
    async (HTTPS_PROXY) => {
      const studio = await program()
      const { exitCode, out, err } = await studio.run(['import', '204'], { env: { ...tracker, HTTPS_PROXY } })
      expect([exitCode, err]).toEqual([7, expect.stringContaining('through the proxy')])
      expect(out + err).not.toMatch(/s3cret|ana:/)
    },
  )

  it.each(['socks5://ana:s3cret@127.0.0.1:1080', 'http://ana:s3 cret@:::x'])(
    'that is none is refused without its password: %s',
    async (HTTPS_PROXY) => {
      const studio = await program()
      const ran = await studio.run(['import', '204'], { env: { ...tracker, HTTPS_PROXY } })
      expectQuoted(ran, 2)
      expect(ran.err).not.toContain('cret')
      // What needs no network does not care.
      expect((await studio.run(['draft', 'list'], { env: { ...tracker, HTTPS_PROXY } })).exitCode).toBe(0)
    },
  )
})
