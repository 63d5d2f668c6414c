import { createHmac } from 'node:crypto'
import { link, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { call } from '../http/served'
import { firstJsonLine, type Program, program } from './program'

async function serve(studio: Program, args: string[] = [], env: Record<string, string> = {}) {
  const running = studio.start(['serve', '--port', '0', '--json', ...args], env)
  const { url } = await firstJsonLine(running)
  const get = (path: string, headers: Record<string, string> = {}) => fetch(url + path, { headers })
  return { running, url, get }
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

describe('studio token', () => {
  it('makes, shows and revokes what opens the story API', async () => {
    const studio = await program()
    const { id, token } = await studio.json([
      'token',
      'create',
      '--name',
      'ci',
      '--scopes',
      'read,write',
      '--expires',
      '30d',
    ])
    const { get } = await serve(studio, ['--auth', 'always'])
    expect((await get('/api/stories/saved')).status).toBe(401)
    expect((await get('/api/stories/saved', bearer(token))).status).toBe(200)
    expect((await get('/api/tokens', bearer(token))).status).toBe(403)
    expect(await studio.json(['token', 'list'])).toMatchObject([{ id, name: 'ci', scopes: ['read', 'write'] }])
    expect((await studio.run(['token', 'list'])).out).not.toContain(token)
    await studio.json(['token', 'revoke', id])
    // At once, though another process has revoked it.
    expect((await get('/api/stories/saved', bearer(token))).status).toBe(401)
  })

  it('shows a person the token once, and how to use it', async () => {
    const studio = await program()
    const { out } = await studio.run(['token', 'create', '--name', 'laptop'])
    expect(out).toMatch(/studio_pat_[0-9A-Za-z]{36}/)
    expect(out).toContain('Authorization: Bearer')
    const refused = await studio.run(['token', 'create', '--name', 'x', '--scopes', 'root'])
    expect(refused).toMatchObject({ exitCode: 2, err: expect.stringContaining('--scopes') })
  })
})

describe('studio serve', () => {
  it('says whom it lets in, and studio doctor says it too', async () => {
    const studio = await program()
    const { running } = await serve(studio)
    running.kill('SIGTERM')
    const { stderr } = await running
    expect(stderr).toMatch(/story API: callers on this machine need no credential/)
    const { findings } = await studio.json(['doctor'])
    expect(findings).toContainEqual(expect.objectContaining({ about: 'access', level: 'ok' }))
  })

  it('listens beyond this machine once there is a credential', async () => {
    const studio = await program()
    const refused = await studio.run(['serve', '--host', '0.0.0.0', '--port', '0'])
    expect(refused).toMatchObject({
      exitCode: 2,
      err: expect.stringMatching(/studio token create.*--host 127\.0\.0\.1/s),
    })
    const { token } = await studio.json(['token', 'create', '--name', 'any'])
    const { url } = await serve(studio, ['--host', '0.0.0.0'])
    const local = url.replace('0.0.0.0', '127.0.0.1')
    expect((await fetch(`${local}/api/stories/saved`)).status).toBe(401)
    expect((await fetch(`${local}/api/stories/saved`, { headers: bearer(token) })).status).toBe(200)
    expect((await fetch(`${local}/api/health`)).status).toBe(200)
  })

  // Windows has no Unix sockets for Node.js, and SIGTERM ends a program there before it has written its last lines.
  const isWindows = process.platform === 'win32'

  it.skipIf(isWindows)(
    'listens on a socket that this user alone may use, also where a killed one left it',
    async () => {
      const studio = await program()
      const { token } = await studio.json(['token', 'create', '--name', 'proxy'])
      const socketPath = join(studio.home, 'studio.sock')
      for (let round = 0; round < 2; round++) {
        const running = studio.start(['serve', '--socket', socketPath, '--json'])
        expect(await firstJsonLine(running)).toEqual({ event: 'listening', url: `unix:${socketPath}` })
        expect((await stat(socketPath)).mode & 0o777).toBe(0o600)
        const ask = (headers = {}) =>
          call({ socketPath, method: 'GET', path: '/api/stories/saved', headers: { host: 'localhost', ...headers } })
        expect((await ask()).status).toBe(401)
        expect((await ask(bearer(token))).status).toBe(200)
        const second = await studio.run(['serve', '--socket', socketPath])
        expect(second).toMatchObject({ exitCode: 7, err: expect.stringContaining('--socket') })
        running.kill('SIGKILL')
        await running
      }
    },
  )

  it.skipIf(isWindows)('removes nothing but a socket to listen there', async () => {
    const studio = await program()
    const notes = join(studio.home, 'notes.txt')
    await writeFile(notes, 'mine')
    await symlink(notes, join(studio.home, 'link'))
    await studio.json(['token', 'create', '--name', 'proxy'])
    for (const [path, why] of [
      ['notes.txt', 'is not a socket'],
      ['link', 'is not a socket'],
      ['.', 'is not a socket'],
      ['studio.db', 'belongs to the database'],
      ['x'.repeat(108), process.platform === 'linux' ? 'at most 107 bytes' : 'at most 103 bytes'],
    ] as const)
      expect(await studio.run(['serve', '--socket', path]), path).toMatchObject({
        exitCode: 2,
        err: expect.stringContaining(why),
      })
    expect(await readFile(notes, 'utf8')).toBe('mine')
  })

  it('writes its log over no file of studio', async () => {
    const studio = await program()
    await studio.json(['draft', 'save', '--title', 'Kept'])
    await link(join(studio.home, 'studio.db.log.1'), join(studio.home, 'events.log'))
    for (const file of ['studio.db', 'config.json', 'studio.db.log.1', 'events.log', 'state/trusted-projects.json'])
      expect(await studio.run(['serve', '--port', '0', '--log-file', file]), file).toMatchObject({ exitCode: 2 })
    expect(await studio.run(['report', 'summary', '--out', 'studio.db'])).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining('belongs to the database'),
    })
    expect(await studio.json(['draft', 'list'])).toMatchObject([{ title: 'Kept' }])
  })

  it.each([
    ['whose header is gone', (bytes: Buffer) => bytes.fill(0, 0, 100)],
    [
      'of which a byte that it reads is not as it was written',
      (bytes: Buffer) => bytes.fill(bytes[3_000]! ^ 1, 3_000, 3_001),
    ],
  ])('does not start on a database %s, and says what the commands say', async (_, damage) => {
    const studio = await program()
    await studio.json(['draft', 'save', '--title', 'Kept'])
    await studio.json(['backup', 'copy.db'])
    const database = join(studio.home, 'studio.db')
    await writeFile(database, damage(await readFile(database)))
    const command = await studio.run(['folder', 'list'])
    expect(command).toMatchObject({
      exitCode: 1,
      err: expect.stringMatching(/studio restore.*studio doctor --repair/s),
    })
    expect(await studio.run(['serve', '--port', '0'])).toMatchObject({ exitCode: command.exitCode, err: command.err })
    await studio.json(['doctor', '--repair', '--offline'])
    await studio.json(['folder', 'list'])
    await studio.json(['restore', 'copy.db', '--yes'])
    expect(await studio.json(['draft', 'list'])).toMatchObject([{ title: 'Kept' }])
  })

  it('takes the JWTs of its issuer', async () => {
    const studio = await program()
    const secret = 'a secret of more than thirty-two bytes'
    await writeFile(join(studio.home, 'secret'), secret, { mode: 0o600 })
    const jwt = { issuer: 'https://issuer.example', audience: 'studio', secretFile: 'secret' }
    await writeFile(join(studio.home, 'config.json'), JSON.stringify({ auth: { local: false, jwt } }))
    const { get } = await serve(studio)
    const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const signed = (claims: object, by = secret) => {
      const text = `${part({ alg: 'HS256' })}.${part({ iss: jwt.issuer, aud: jwt.audience, sub: 'ada', ...claims })}`
      return `${text}.${createHmac('sha256', by).update(text).digest('base64url')}`
    }
    const exp = Math.floor(Date.now() / 1000) + 3600
    const status = async (token: string) => (await get('/api/stories/saved', bearer(token))).status
    expect(await status(signed({ exp, scope: 'read' }))).toBe(200)
    expect(await status(signed({ exp }))).toBe(403)
    expect(await status(signed({ scope: 'read' }))).toBe(401)
    expect(await status(signed({ exp, scope: 'read' }, `${secret}!`))).toBe(401)
  })

  it('does not start with a secret that can be guessed', async () => {
    const studio = await program()
    await writeFile(join(studio.home, 'secret'), 'short')
    const env = { STUDIO_JWT_ISSUER: 'i', STUDIO_JWT_AUDIENCE: 'a', STUDIO_JWT_SECRET_FILE: 'secret' }
    expect(await studio.run(['serve', '--port', '0'], { env })).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining('5 bytes'),
    })
  })

  it.skipIf(isWindows)('logs a line a request, without what is secret', async () => {
    const studio = await program()
    const { token } = await studio.json(['token', 'create', '--name', 'any'])
    const file = join(studio.home, 'service.log')
    const { running, get } = await serve(studio, ['--log-file', file, '--metrics'])
    await get('/api/stories/saved?search=private', bearer(token))
    expect(await (await get('/metrics')).text()).toContain('route="/api/stories/saved"')
    for (let n = 0; n < 12; n++) await get('/api/health', bearer('nonsense'))
    running.kill('SIGTERM')
    expect((await running).exitCode).toBe(0)
    const text = await readFile(file, 'utf8')
    const lines = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines[0]).toMatchObject({
      message: 'request',
      path: '/api/stories/saved',
      status: 200,
      caller: expect.stringMatching(/^token /),
    })
    expect(lines.slice(-2).map(({ status }) => status)).toEqual([429, 429])
    expect(text).not.toMatch(/studio_pat_[0-9A-Za-z]|private|nonsense/)
  })
})
