import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { runCommand } from '../../commands/start/command-line'
import { memoryTerminal } from '../../commands/terminal/terminal'
import { addProgram } from '../program-in-path'
import { temporaryFolder } from '../temporary-folder'
import { openGitHub } from '../tracker/github/fixtures'

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

/** A repository whose owner signs in with a code. Each refresh gives the next token, and the one before is refused. */
async function open() {
  let issued = 0
  const { url, requests } = await openGitHub(
    { issues: [{ number: 1 }], types: ['Bug'] },
    {
      answer(request, github) {
        const { path, headers, body } = request
        if (path === '/login/device/code')
          return {
            json: {
              device_code: 'device',
              user_code: 'WDJB-MJHT',
              verification_uri: 'https://github.example/login/device',
              expires_in: 900,
              interval: 0.01,
            },
          }
        if (path === '/login/oauth/access_token') {
          const given = new URLSearchParams(body).get('refresh_token')
          if (given !== null && given !== `refresh-${issued}`) return { json: { error: 'bad_refresh_token' } }
          issued += 1
          return {
            json: {
              access_token: `access-${issued}`,
              refresh_token: `refresh-${issued}`,
              expires_in: 28_800,
              token_type: 'bearer',
            },
          }
        }
        if (headers.authorization !== `Bearer access-${issued}`)
          return { status: 401, json: { message: 'Bad credentials' } }
        return github.answer({ ...request, headers: { ...headers, authorization: 'Bearer secret-token' } })
      },
    },
  )
  // The server has the organization in its path, and its sign-in at its root, as this stub has.
  mkdirSync(home, { recursive: true })
  writeFileSync(join(home, 'config.json'), JSON.stringify({ tracker: { url, kind: 'github', project: 'harbor' } }))
  const expire = () => {
    issued += 1
  }
  return { url, requests, expire, issuedNow: () => issued }
}

describe('studio login', () => {
  it('prints an address and a code, calls the tracker, and stores the sign-in for its user alone', async () => {
    const { url } = await open()
    const { code, errors } = await studio(['login', '--client-id', 'Iv1.0'])
    expect(errors).toContain('Open https://github.example/login/device in a browser, and enter the code WDJB-MJHT.')
    expect(errors).toContain('Signed in to ')
    expect(errors).not.toContain('access-1')
    expect(code).toBe(0)
    expect(credentials().logins[url]).toMatchObject({ clientId: 'Iv1.0', accessToken: 'access-1' })
    expect(statSync(join(home, 'credentials.json')).mode & 0o077).toBe(0)
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

  it('stores it in the keychain, through its standard input', async () => {
    const { url } = await open()
    const vault = temporaryFolder()
    // A stand-in for the program of the system: it notes its arguments, and keeps what it reads.
    addProgram(
      'secret-tool',
      `echo "$@" >> ${vault}/arguments\ncase $1 in store) cat > ${vault}/secret;; lookup) cat ${vault}/secret;; clear) rm ${vault}/secret;; esac`,
    )
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

  it('says what is missing', async () => {
    expect((await studio(['login', '--client-id', 'x'])).errors).toContain('No tracker is set')
    const { url } = await open()
    expect((await studio(['login'])).errors).toContain('--client-id')
    expect((await studio(['login', 'gh'])).errors).toContain('no tracker "gh"')
    writeFileSync(join(home, 'config.json'), JSON.stringify({ tracker: { url, kind: 'jira', project: 'ABC' } }))
    expect((await studio(['login', '--client-id', 'x'])).errors).toContain('Jira at 127.0.0.1 has no sign-in')
  })
})
