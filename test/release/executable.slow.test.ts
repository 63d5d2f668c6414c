import { execFile } from 'node:child_process'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { openOnce } from '../contract/program'
import { freePort } from '../free-port'
import { hasNamespaces, layBareMachine, runOn } from './bare-machine'

const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
if (!hasNamespaces) console.log('The single executable is not tested: this machine has no namespaces for users.')

/** Other systems build it in their own release, and run its demo. */
describe.skipIf(!hasNamespaces)('the single executable, on a machine without Node.js', () => {
  const machine = openOnce(async (atEnd) => {
    const root = await mkdtemp(join(tmpdir(), 'studio-machine-'))
    atEnd(() => rm(root, { recursive: true, force: true, maxRetries: 5 }))
    await promisify(execFile)(process.execPath, ['esbuild.executable.mjs', root])
    layBareMachine(root, join(root, 'studio'))
    return root
  })

  const env = { HOME: '/home', TMPDIR: '/tmp' }
  const studio = (
    args: readonly string[],
    more: { input?: string; env?: Record<string, string>; reject?: boolean } = {},
  ) => runOn(machine(), ['/studio', ...args], { ...more, env: { ...env, ...more.env } })
  const run = async (...args: string[]) => (await studio(args)).stdout

  // Node.js then says on standard error when it starts a thread.
  const withThreads = { NODE_DEBUG: 'worker' }
  const threadsIn = (printed: string) => [
    ...new Set([...printed.matchAll(/dist\/chunks\/([a-z]+)-thread/g)].map(([, name]) => name)),
  ]

  beforeAll(async () => {
    await run('import', '101')
    const hours = ['--time-zone', 'Etc/UTC', '--queue', 'daily 06:00-18:00', '--door', 'A']
    await run('facility', 'create', '--code', 'DC1', '--name', 'North', ...hours)
  })

  it('finds no other program there', () => {
    const files = readdirSync(machine(), { recursive: true, withFileTypes: true }).filter(
      (file) => file.isFile() && !file.parentPath.startsWith(join(machine(), 'home')),
    )
    expect(files.map(({ name }) => name).filter((name) => !/\.so(\.|$)/.test(name))).toEqual(['studio'])
  })

  it('prints its version, its help and every licence, that of Node.js too', async () => {
    expect(await run('--version')).toBe(version)
    expect(await run('--help')).toContain('Getting started:')
    const licences = await run('licenses')
    expect(licences).toContain(readFileSync('dist/THIRD-PARTY-LICENSES.txt', 'utf8').trim())
    expect(licences).toMatch(/Node\.js is licensed for use as follows/)
  })

  it('runs the demo without a warning', async () => {
    const { stdout, stderr } = await studio(['demo'])
    expect(stdout).toContain('Next steps')
    expect(stderr).not.toMatch(/warning/i)
  })

  it('searches what was imported, also after its index was built anew', async () => {
    expect(await run('search', 'dock door', '--limit', '1')).toContain('#204')
    await run('index', 'rebuild')
    expect(await run('search', 'dock door', '--limit', '1')).toContain('#204')
  })

  it('indexes many items in a thread', async () => {
    const rows = Array.from({ length: 1_000 }, (_, at) => `${at + 1},Bug,Gate ${at},New`)
    const input = ['ID,Work Item Type,Title,State', ...rows].join('\n')
    // A home of its own, because items of a file and of the sandbox do not mix.
    const home = { HOME: '/home/file' }
    const { stderr } = await studio(['import', '--file', '-'], { input, env: { ...withThreads, ...home } })
    expect(threadsIn(stderr)).toContain('indexing')
    const { stdout } = await studio(['search', 'gate', '--json'], { env: home })
    expect(JSON.parse(stdout)).toMatchObject({ total: 1_000 })
  })

  it('books, plans the day, and backs up', async () => {
    const load = ['--facility', 'DC1', '--type', 'delivery', '--carrier', 'Acme', '--reference', 'PO-1']
    expect(await run('book', ...load, '--date', '2055-03-01')).toContain('Booked')
    const plan = await studio(['facility', 'plan', 'DC1', '--date', '2055-03-01'], { env: withThreads })
    expect(plan.stdout).toContain('1 appointment can stay')
    expect(threadsIn(plan.stderr)).toEqual(['computing'])
    await run('backup', '/tmp/backup.db')
    expect(statSync(join(machine(), 'tmp/backup.db')).size).toBeGreaterThan(0)
  })

  it('completes commands, and prints scripts that call it by its name', async () => {
    expect(await run('completion', 'bash')).toContain('studio')
    expect(await run('__complete', 'zsh', '--', 'impo')).toContain('import')
  })

  it('answers an agent', async () => {
    const clientInfo = { name: 'test', version: '1' }
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo }
    const input = `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`
    const { stdout } = await studio(['mcp'], { input })
    expect(JSON.parse(stdout)).toMatchObject({ id: 1, result: { serverInfo: { version } } })
  })

  it('says so if it may not use WebAssembly', async () => {
    const env = { NODE_OPTIONS: '--jitless' }
    const { exitCode, stderr } = await studio(['draft', 'list'], { env, reject: false })
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('Remove --jitless from NODE_OPTIONS.')])
  })

  it('needs no folder that it may write to', async () => {
    const { stdout, stderr } = await studio(['agent'], { env: { HOME: '/studio/nothing', TMPDIR: '/studio/nothing' } })
    expect(JSON.parse(stdout)).toMatchObject({ agent_friendly: true })
    expect(stderr).toBe('')
  })

  describe('as a service', () => {
    async function serve(home = env.HOME) {
      const port = await freePort()
      const service = studio(['serve', '--port', String(port)], { env: { ...withThreads, HOME: home } })
      onTestFinished(async () => {
        service.kill('SIGTERM')
        await service
      })
      let printed = ''
      service.stderr!.on('data', (bytes) => {
        printed += bytes
      })
      const call = (path: string, body?: object) =>
        fetch(`http://127.0.0.1:${port}${path}`, {
          ...(body && { method: 'POST', body: JSON.stringify(body) }),
          headers: { 'Content-Type': 'application/json' },
        })
      await expect
        .poll(() =>
          call('/api/health').then(
            (response) => response.status,
            () => 0,
          ),
        )
        .toBe(200)
      return { call, threads: () => threadsIn(printed) }
    }

    it('serves its documents, its console and its API', async () => {
      const { call } = await serve()
      const asset = /\/console\/assets\/[^"]+\.css/.exec(await (await call('/console')).text())
      for (const path of ['/openapi.json', '/docs/swagger-ui-bundle.js', asset![0]])
        expect((await (await call(path)).text()).length).toBeGreaterThan(1_000)
      expect(await (await call('/api/search/fast?q=dock%20door')).json()).toMatchObject({ total: expect.any(Number) })
    })

    it('compacts the database in a thread, once enough was written', async () => {
      const { call, threads } = await serve('/home/service')
      const description = Array.from({ length: 8_000 }, (_, at) => `word${at}`).join(' ')
      // The compaction removes the parts of the log that it has written to the database.
      await expect
        .poll(async () => {
          const response = await call('/api/stories/save-draft', { title: 'Long', description })
          expect(await response.text()).toContain('"title":"Long"')
          return readdirSync(join(machine(), 'home/service/.local/share/studio'))
        })
        .not.toContain('studio.db.log.1')
      // What the service prints comes through a pipe, and later than its answer.
      await expect.poll(threads).toEqual(['compaction'])
    })
  })
})
