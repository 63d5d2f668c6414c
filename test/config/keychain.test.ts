import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { deleteFromKeychain, readFromKeychain, saveInKeychain } from '../../src/config/services/keychain'
import { addProgram } from '../program-in-path'
import { temporaryFolder } from '../temporary-folder'

const platform = Object.getOwnPropertyDescriptor(process, 'platform')!
let vault: string
beforeEach(() => {
  vault = join(temporaryFolder(), 'vault')
  const program = resolve('test/config/security-program.cjs')
  addProgram('security', `SECURITY_VAULT=${vault} exec ${process.execPath} ${program} "$@"`)
  Object.defineProperty(process, 'platform', { ...platform, value: 'darwin' })
})
afterEach(() => Object.defineProperty(process, 'platform', platform))

const url = 'https://github.com/quayside/harbor'
const login = {
  tokenEndpoint: 'https://github.com/login/oauth/access_token',
  clientId: 'Iv1.0',
  scope: 'repo',
  expiresAt: 1_800_000_000_000,
  accessToken: 'ghu_ä "$(x)"',
  refreshToken: 'ghr_1',
}

// The stand-in for its program is a script of sh.
describe.skipIf(process.platform === 'win32')('the keychain of macOS', () => {
  it('keeps a sign-in, replaces it, and forgets it', async () => {
    expect(await readFromKeychain(url)).toBeNull()
    await saveInKeychain(url, login)
    expect(await readFromKeychain(url)).toMatchObject(login)
    await saveInKeychain(url, { ...login, refreshToken: 'ghr_2' })
    expect(await readFromKeychain(url)).toMatchObject({ refreshToken: 'ghr_2' })
    await deleteFromKeychain(url)
    expect(existsSync(vault)).toBe(false)
    await deleteFromKeychain(url)
  })

  it('is sent no line that is longer than it reads: the access token is left out, which can be fetched again', async () => {
    const long = `https://tracker.example.com/${'a'.repeat(600)}`
    await saveInKeychain(long, { ...login, accessToken: 'x'.repeat(2_500) })
    expect(await readFromKeychain(long)).toMatchObject({ accessToken: null, refreshToken: 'ghr_1' })
    const before = readFileSync(vault, 'utf8')
    const tooLong = { ...login, refreshToken: 'r'.repeat(4_000) }
    await expect(saveInKeychain(url, tooLong)).rejects.toThrow('The keychain refused: security has no room for it.')
    expect(readFileSync(vault, 'utf8')).toBe(before)
  })

  it('gets an address with quotes as one word', async () => {
    const quoted = 'https://tracker.example.com/"a b\\'
    await saveInKeychain(quoted, login)
    expect(await readFromKeychain(quoted)).toMatchObject({ refreshToken: 'ghr_1' })
  })
})
