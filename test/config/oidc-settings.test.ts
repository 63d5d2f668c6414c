import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { listSecrets } from '../../src/config/services/list-secrets'
import { loadSettings } from '../../src/config/services/load-settings'

const complete = {
  issuer: 'https://login.example.com',
  clientId: 'studio',
  clientSecretFile: 'secret',
  roles: { reader: ['*'] },
}

function settingsOf(
  oidc: object,
  env: NodeJS.ProcessEnv = {},
  serve: object = { publicUrl: 'https://studio.example.com' },
) {
  const home = mkdtempSync(join(tmpdir(), 'studio-oidc-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  writeFileSync(join(home, 'config.json'), JSON.stringify({ auth: { oidc }, serve }))
  writeFileSync(join(home, 'secret'), 'from-the-file\n')
  return loadSettings({ env: { STUDIO_HOME: home, ...env }, cwd: home })
}

describe('the settings of the provider', () => {
  it('have defaults', () => {
    expect(settingsOf(complete).auth.oidc).toEqual({
      issuer: 'https://login.example.com',
      clientId: 'studio',
      clientSecret: 'from-the-file',
      publicUrl: 'https://studio.example.com',
      label: 'login.example.com',
      scopes: ['openid', 'profile', 'email'],
      rolesClaim: 'roles',
      roles: { reader: ['*'] },
      allowedDomains: null,
      proxy: null,
    })
    expect(settingsOf({}).auth.oidc).toBe(null)
  })

  it('come from variables first, and their secret is known as one', () => {
    const env = { STUDIO_OIDC_ISSUER: 'http://127.0.0.1:9000', STUDIO_OIDC_CLIENT_SECRET: 'of-the-variable' }
    const settings = settingsOf(complete, env)
    expect(settings.auth.oidc).toMatchObject({ issuer: 'http://127.0.0.1:9000', clientSecret: 'of-the-variable' })
    expect(listSecrets(settings, env)).toContain('of-the-variable')
  })

  it('come from variables alone', () => {
    const env = {
      STUDIO_OIDC_ISSUER: 'https://id.example.com',
      STUDIO_OIDC_CLIENT_ID: 'c',
      STUDIO_OIDC_CLIENT_SECRET: 'of-the-variable',
      STUDIO_PUBLIC_URL: 'https://s.example.com/',
      STUDIO_OIDC_ROLE_EDITOR: 'writers, authors',
      STUDIO_OIDC_ALLOWED_DOMAINS: 'Example.com',
    }
    expect(settingsOf({}, env).auth.oidc).toMatchObject({
      publicUrl: 'https://s.example.com',
      roles: { editor: ['writers', 'authors'] },
      allowedDomains: ['example.com'],
    })
  })

  it.each([
    [{ clientId: undefined }, 'auth.oidc.clientId is not set.'],
    [{ clientSecretFile: undefined }, 'STUDIO_OIDC_CLIENT_SECRET or auth.oidc.clientSecretFile is not set.'],
    [{ clientSecretFile: 'nowhere' }, 'cannot be read.'],
    [{ issuer: 'http://login.example.com' }, 'auth.oidc.issuer is an unencrypted http address'],
    [{ roles: {} }, 'auth.oidc.roles gives no one a role.'],
    [{ roles: { owner: ['*'] } }, 'auth.oidc.roles.owner'],
  ])('are invalid with %j', (changes, message) => {
    expect(() => settingsOf({ ...complete, ...changes }).auth).toThrow(message)
  })

  it('need the address of the service', () => {
    expect(() => settingsOf(complete, {}, {}).auth).toThrow('serve.publicUrl is not set.')
  })
})

describe('the address of the service', () => {
  const addressOf = (publicUrl: string) => settingsOf({}, { STUDIO_PUBLIC_URL: publicUrl }).serve

  it('is encrypted, and has no path', () => {
    for (const address of [
      'https://studio.example.com/base',
      'http://studio.example.com',
      'studio.example.com',
      'https://a/?b',
    ])
      expect(() => addressOf(address)).toThrow('serve.publicUrl must be an https address without a path.')
    expect(addressOf('http://127.0.0.1:4317/').publicUrl).toBe('http://127.0.0.1:4317')
  })

  it('is a name that requests may have', () => {
    expect(addressOf('https://Studio.example.com:8443').allowedHosts).toEqual(['studio.example.com:8443'])
    expect(addressOf('http://localhost:4317').allowedHosts).toEqual([])
  })
})
