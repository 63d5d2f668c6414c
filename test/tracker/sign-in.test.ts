import { describe, expect, it } from 'vitest'
import { getAdapter } from '../../src/tracker/adapters'
import { getLoginProvider } from '../../src/tracker/login-provider'

describe('a program that is signed in already', () => {
  it('is asked for the token of the host of the tracker, and of no other', () => {
    const { tokenCommand } = getAdapter('github')
    expect(tokenCommand('https://github.com/acme/harbor')).toBe('gh auth token --hostname github.com')
    expect(tokenCommand('https://github.acme.example/acme/harbor')).toBe('gh auth token --hostname github.acme.example')
  })

  it('is not asked for a host that a shell would read as something else', () => {
    const { tokenCommand } = getAdapter('github')
    for (const host of ['x;id;.example', 'x$(id).example', 'a`id`b', 'a&b'])
      expect(tokenCommand(`https://${host}/acme/harbor`)).toBeNull()
  })
})

describe('a sign-in with a code', () => {
  const client = { clientId: 'Iv1.0', tenant: null }

  it('is only over an encrypted connection, or within a private network', () => {
    const provider = (url: string) => getLoginProvider({ kind: 'github', url }, client)
    expect(() => provider('http://github.example.com/acme/harbor')).toThrow('it is not encrypted')
    for (const url of ['https://github.example.com/acme', 'http://127.0.0.1:8080/acme', 'http://ghe.internal/acme'])
      expect(provider(url).clientId).toBe('Iv1.0')
  })
})
