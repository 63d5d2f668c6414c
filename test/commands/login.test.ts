import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { runCommand } from '../../commands/start/command-line'
import { memoryTerminal } from '../../commands/terminal/terminal'
import { loadSettings } from '../../src/config'
import { saveTrackerToken } from '../../src/config/services/store-token'
import { expectOwnerOnly } from '../file-mode'
import { addProgram } from '../program-in-path'
import { temporaryFolder } from '../temporary-folder'
import { openGitHubWithSignIn } from '../tracker/github/sign-in'
import { addKeychain } from './keychain'

let home: string
beforeEach(() => {
  home = temporaryFolder()
})

async function studio(argv: string[], env: NodeJS.ProcessEnv = {}) {
  const terminal = memoryTerminal({ env: { STUDIO_HOME: home, ...env }, cwd: home })
  const code = await runCommand(argv, terminal, new AbortController().signal)
  return { code, output: terminal.output, errors: terminal.errors }
}

const credentials = () => JSON.parse(readFileSync(join(home, 'credentials.json'), 'utf8'))

/** A repository with a sign-in, as the default tracker. */
async function open(options: Parameters<typeof openGitHubWithSignIn>[0] = {}) {
  const opened = await openGitHubWithSignIn(options)
  // The server has the organization in its path, and its sign-in at its root, as this stub has.
  mkdirSync(home, { recursive: true })
  const tracker = { url: opened.url, kind: 'github', project: 'harbor' }
  writeFileSync(join(home, 'config.json'), JSON.stringify({ tracker }))
  return opened
}

/** The program of the keychain is a shell script here. */
const hasNoKeychain = process.platform === 'win32'

describe('studio login', () => {
  it('prints an address and a code, calls the tracker, and stores the sign-in for its user alone', async () => {
    const { url } = await open()
    const { code, errors } = await studio(['login', '--client-id', 'Iv1.0'])
    expect(errors).toContain('Open https://github.example/login/device in a browser, and enter the code WDJB-MJHT.')
    expect(errors).toContain('Signed in to ')
    expect(errors).not.toContain('access-1')
    expect(code).toBe(0)
    expect(credentials().logins[url]).toMatchObject({ clientId: 'Iv1.0', accessToken: 'access-1' })
    expectOwnerOnly(join(home, 'credentials.json'))
    const { output } = await studio(['item', 'get', '1', '--json'])
    expect(JSON.parse(output)).toMatchObject({ id: 1 })
  })

  it('is renewed when the tracker rejects the token, and what is stored then is the new one', async () => {
    const { url } = await open()
    await studio(['login', '--client-id', 'Iv1.0'])
    const file = credentials()
    file.logins[url].accessToken = 'rejected'
    writeFileSync(join(home, 'credentials.json'), JSON.stringify(file), { mode: 0o600 })
    expect((await studio(['item', 'get', '1', '--json'])).code).toBe(0)
    expect(credentials().logins[url]).toMatchObject({ accessToken: 'access-2', refreshToken: 'refresh-2' })
  })

  it('says how to sign in again when the provider has ended it', async () => {
    const { expire } = await open()
    await studio(['login', '--client-id', 'Iv1.0'])
    expire()
    const { code, errors } = await studio(['item', 'get', '1'])
    expect(code).toBe(4)
    expect(errors).toContain('studio login')
    expect(errors).not.toMatch(/access-|refresh-/)
  })

  it('takes the place of a stored token, until it is deleted', async () => {
    const { url } = await open()
    writeFileSync(join(home, 'credentials.json'), JSON.stringify({ tokens: { [url]: 'old' } }), { mode: 0o600 })
    await studio(['login', '--client-id', 'Iv1.0'])
    expect(credentials()).toEqual({ tokens: {}, logins: { [url]: expect.anything() } })
    const { errors } = await studio(['logout'])
    expect(errors).toContain('was deleted')
    expect(credentials()).toEqual({ tokens: {} })
  })

  it('shows what a provider says without the control characters in it', async () => {
    const { url } = await open({
      device: { verification_uri: 'https://x.example/\u001b[2J\u202e', user_code: 'A\u0007B' },
    })
    const { code, errors } = await studio(['login', '--client-id', 'Iv1.0'])
    expect(code).toBe(0)
    expect(errors).toMatch(/Open https:\/\/x\.example\/.* in a browser, and enter the code A.?B\./)
    expect(errors).not.toMatch(/[\u001b\u0007\u202e]/)
    expect(credentials().logins[url]).toMatchObject({ accessToken: 'access-1' })
  })

  it.each([0.0001, 1e300, 12.3456])(
    'can read what it stored, whatever time a provider answers: %d',
    async (seconds) => {
      const { url } = await open({ token: { expires_in: seconds } })
      expect((await studio(['login', '--client-id', 'Iv1.0'])).code).toBe(0)
      expect((await studio(['config', 'list'])).code).toBe(0)
      expect(credentials().logins[url]).toMatchObject({ refreshToken: 'refresh-1' })
    },
  )

  it('stores no token that no header can have', async () => {
    await open({ token: { access_token: 'two words' } })
    const { code, errors } = await studio(['login', '--client-id', 'Iv1.0'])
    expect(code).toBe(4)
    expect(errors).toContain('cannot be used')
    expect(errors).not.toContain('two words')
    expect(existsSync(join(home, 'credentials.json'))).toBe(false)
  })

  it.skipIf(hasNoKeychain)('stores it in the keychain, through its standard input', async () => {
    const { url } = await open()
    const vault = addKeychain()
    const { code, errors } = await studio(['login', '--client-id', 'Iv1.0', '--keychain'])
    expect(errors).toContain('Stored in the keychain of this system.')
    expect(code).toBe(0)
    expect(credentials().logins).toEqual({ [url]: { keychain: true } })
    expect((await studio(['item', 'get', '1', '--json'])).code).toBe(0)
    const secret = readFileSync(join(vault, 'secret'), 'utf8')
    expect(readFileSync(join(vault, 'arguments'), 'utf8')).not.toContain(secret)
    await studio(['logout'])
    expect(existsSync(join(vault, 'secret'))).toBe(false)
    expect(readdirSync(vault)).toEqual(['arguments'])
  })

  it.skipIf(hasNoKeychain)(
    'leaves nothing in the keychain when a sign-in or a token in a file takes its place',
    async () => {
      const { url } = await open()
      const vault = addKeychain()
      const signIn = (...more: string[]) => studio(['login', '--client-id', 'Iv1.0', ...more])
      await signIn('--keychain')
      expect((await signIn()).code).toBe(0)
      expect(existsSync(join(vault, 'secret'))).toBe(false)
      await signIn('--keychain')
      const paths = loadSettings({ env: { STUDIO_HOME: home }, cwd: home }).paths
      await saveTrackerToken(paths, { url, token: 'pasted' })
      expect(existsSync(join(vault, 'secret'))).toBe(false)
      expect(credentials()).toEqual({ tokens: { [url]: 'pasted' } })
    },
  )

  it.skipIf(hasNoKeychain)('can be deleted when the keychain no longer has it', async () => {
    await open()
    const vault = addKeychain()
    await studio(['login', '--client-id', 'Iv1.0', '--keychain'])
    rmSync(join(vault, 'secret'))
    expect((await studio(['item', 'get', '1'])).errors).toContain('You are not signed in')
    expect((await studio(['logout'])).errors).toContain('was deleted')
    expect(credentials().logins).toBeUndefined()
  })

  it.skipIf(hasNoKeychain).each([
    ['fails', 'echo "Cannot autolaunch D-Bus" >&2; exit 1', 'The keychain refused: secret-tool failed.'],
    ['stores nothing', 'exit 0', 'The keychain refused: secret-tool failed.'],
    ['prints anything', 'cat; echo rubbish; exit 0', 'The keychain refused: secret-tool failed.'],
  ])('is not stored when the program of the keychain %s', async (_, script, message) => {
    await open()
    addProgram('secret-tool', script)
    const { code, errors } = await studio(['login', '--client-id', 'Iv1.0', '--keychain'])
    expect(code).not.toBe(0)
    expect(errors).toContain(message)
    expect(errors).not.toContain('access-1')
    expect(existsSync(join(home, 'credentials.json'))).toBe(false)
  })

  it.skipIf(hasNoKeychain)('does not say that a sign-in has ended when its keychain does not answer', async () => {
    await open()
    addKeychain()
    await studio(['login', '--client-id', 'Iv1.0', '--keychain'])
    addProgram('secret-tool', 'echo "The name is not activatable" >&2; exit 1')
    const { errors } = await studio(['item', 'get', '1'])
    expect(errors).toContain('The keychain refused')
    expect(errors).not.toContain('not signed in')
  })

  it('says what is missing', async () => {
    expect((await studio(['login', '--client-id', 'x'])).errors).toContain('No tracker is set')
    const { url } = await open()
    expect((await studio(['login'])).errors).toContain('--client-id')
    expect((await studio(['login', '--client-id', ''])).errors).toContain('Which application')
    const atPublicAddress = { STUDIO_TRACKER_URL: 'http://github.example.com/acme/harbor' }
    expect((await studio(['login', '--client-id', 'x'], atPublicAddress)).errors).toContain('it is not encrypted')
    expect((await studio(['login', 'gh'])).errors).toContain('no tracker "gh"')
    writeFileSync(join(home, 'config.json'), JSON.stringify({ tracker: { url, kind: 'jira', project: 'ABC' } }))
    expect((await studio(['login', '--client-id', 'x'])).errors).toContain('Jira at 127.0.0.1 has no sign-in')
  })
})
