import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { loadSettings } from '../../src/config'
import { temporaryFolder } from '../temporary-folder'

async function settingsOf(given: {
  env?: Record<string, string>
  project?: unknown
  user?: unknown
  flags?: Parameters<typeof loadSettings>[0]['flags']
}) {
  const folder = temporaryFolder()
  if (given.project) await writeFile(join(folder, 'studio.config.json'), JSON.stringify(given.project))
  if (given.user) await writeFile(join(folder, 'config.json'), JSON.stringify(given.user))
  return { folder, ...loadSettings({ env: { STUDIO_HOME: folder, ...given.env }, cwd: folder, flags: given.flags }) }
}

const issuer = { issuer: 'https://issuer.example', audience: 'studio' }

describe('the access settings', () => {
  it('allow local callers by default, and no issuer', async () => {
    expect((await settingsOf({})).auth).toEqual({ local: true, jwt: null, oidc: null })
  })

  it('can be set in each place, the nearest first', async () => {
    const user = { auth: { local: false, jwt: { ...issuer, secretFile: 'keys/secret' } } }
    const own = await settingsOf({ user })
    expect(own.auth).toMatchObject({
      local: false,
      jwt: { ...issuer, secretFile: join(own.folder, 'keys/secret') },
    })
    const env = {
      STUDIO_AUTH: 'local',
      STUDIO_JWT_AUDIENCE: 'other',
      STUDIO_JWT_JWKS_URL: 'https://issuer.example/keys',
    }
    expect((await settingsOf({ user, env })).auth).toMatchObject({
      local: true,
      jwt: { issuer: issuer.issuer, audience: 'other', jwksUrl: env.STUDIO_JWT_JWKS_URL, secretFile: null },
    })
  })

  it('are never loosened by a project file', async () => {
    expect(
      (await settingsOf({ user: { auth: { local: false } }, project: { auth: { local: true } } })).auth.local,
    ).toBe(false)
    expect((await settingsOf({ project: { auth: { local: false } } })).auth.local).toBe(false)
    await expect(settingsOf({ project: { auth: { jwt: issuer } } })).rejects.toThrow(/sets auth\.jwt\.issuer/)
  })

  it.each([{ STUDIO_AUTH: 'never' }, { STUDIO_JWT_JWKS_URL: 'ftp://x' }])(
    'are refused if they are invalid: %j',
    async (env) => {
      await expect(settingsOf({ env: env as unknown as Record<string, string> })).rejects.toMatchObject({
        code: 'invalid',
      })
    },
  )
})

describe('the service settings', () => {
  it('default to this machine without a log', async () => {
    expect((await settingsOf({})).serve).toEqual({
      host: '127.0.0.1',
      port: 4317,
      socket: null,
      trustedProxies: [],
      allowedHosts: [],
      publicUrl: null,
      log: null,
      logFile: null,
      metrics: false,
      pageCacheMb: 64,
      rateLimit: 200,
      syncEveryMinutes: null,
      concurrentCalls: 16,
    })
  })

  it('come from flags, variables and files, in this order', async () => {
    const user = {
      serve: {
        port: 1,
        allowedHosts: ['a.example'],
        log: 'off',
        metrics: true,
        pageCacheMb: 16,
        rateLimit: 50,
        concurrentCalls: 4,
        syncEveryMinutes: 15,
      },
    }
    const env = {
      STUDIO_PORT: '2',
      STUDIO_ALLOWED_HOSTS: 'b.example, c.example:8443',
      STUDIO_LOG: 'json',
      STUDIO_METRICS: 'off',
      STUDIO_PAGE_CACHE_MB: '128',
      STUDIO_RATE_LIMIT: '0',
      STUDIO_CONCURRENT_CALLS: '8',
      STUDIO_SYNC_EVERY_MINUTES: 'off',
    }
    expect((await settingsOf({ user })).serve).toMatchObject({
      port: 1,
      allowedHosts: ['a.example'],
      log: 'off',
      metrics: true,
      pageCacheMb: 16,
      rateLimit: 50,
      concurrentCalls: 4,
      syncEveryMinutes: 15,
    })
    expect((await settingsOf({ user, env })).serve).toMatchObject({
      port: 2,
      allowedHosts: ['b.example', 'c.example:8443'],
      log: 'json',
      metrics: false,
      pageCacheMb: 128,
      rateLimit: 0,
      concurrentCalls: 8,
      syncEveryMinutes: 'off',
    })
    const hasSockets = process.platform !== 'win32'
    const flags = {
      port: 3,
      allowHost: ['D.example'],
      log: 'pretty',
      metrics: true as const,
      ...(hasSockets && { socket: 'x.sock' }),
      logFile: 'x.log',
    }
    const { serve, folder } = await settingsOf({ user, env, flags })
    expect(serve).toMatchObject({
      port: 3,
      allowedHosts: ['d.example'],
      log: 'pretty',
      metrics: true,
      socket: hasSockets ? join(folder, 'x.sock') : null,
      logFile: join(folder, 'x.log'),
    })
  })

  it.each<Record<string, string>>([
    { STUDIO_PORT: '70000' },
    { STUDIO_LOG: 'loud' },
    { STUDIO_ALLOWED_HOSTS: 'http://a' },
    { STUDIO_ALLOWED_HOSTS: '*' },
    { STUDIO_METRICS: 'yes' },
    { STUDIO_PAGE_CACHE_MB: '0' },
    { STUDIO_RATE_LIMIT: '-1' },
    { STUDIO_CONCURRENT_CALLS: 'many' },
    { STUDIO_SYNC_EVERY_MINUTES: '0' },
    { STUDIO_SYNC_EVERY_MINUTES: 'never' },
  ])('refuse %j', async (env) => {
    await expect(settingsOf({ env })).rejects.toMatchObject({ code: 'invalid' })
  })

  it('say what the time between two syncs may be', async () => {
    const user = { serve: { syncEveryMinutes: 'often' } }
    await expect(settingsOf({ user })).rejects.toThrow('must be off, or a number of minutes between 1 and 1440')
  })

  it('do not accept output paths from a file', async () => {
    await expect(settingsOf({ project: { serve: { logFile: '/tmp/x' } } })).rejects.toMatchObject({ code: 'invalid' })
  })
})

describe('trusted proxies', () => {
  it('are addresses, networks and the socket, from the flag or the variable', async () => {
    const names = ['127.0.0.1', '10.0.0.0/8', '::1', 'fd00::/64', 'unix']
    const env = { STUDIO_TRUSTED_PROXIES: names.join(', ') }
    expect((await settingsOf({ env })).serve.trustedProxies).toEqual(names)
    expect((await settingsOf({ env, flags: { trustProxy: ['::1'] } })).serve.trustedProxies).toEqual(['::1'])
    expect((await settingsOf({})).serve.trustedProxies).toEqual([])
  })

  it.each(['10.0.0.0/33', 'fd00::/129', '10.0.0.0/8/8', '10.0.0.0/', 'proxy.example.com', '*'])(
    'are never %s',
    async (name) => {
      await expect(settingsOf({ flags: { trustProxy: [name] } })).rejects.toThrow('--trust-proxy must be addresses')
    },
  )
})
