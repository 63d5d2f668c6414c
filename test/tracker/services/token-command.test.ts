import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { HOUR_MS, MINUTE_MS } from '../../../src/kernel/time'
import { openTracker, type TrackerSettings } from '../../../src/tracker'
import { readTokenFromCommand } from '../../../src/tracker/services/token-command'
import { batchOf, errorOf, never, quick } from '../azure-devops/fixtures'
import { startStub } from '../azure-devops/stub-server'

/** A token as Entra ID makes it. */
function signedToken(claims: object): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  return `${part({ alg: 'RS256', typ: 'JWT' })}.${part(claims)}.c2lnbmF0dXJl`
}

/** A command that prints the lines of a file, one at each call, the last one again and again. */
async function createCommand(outputs: readonly string[]) {
  const folder = await mkdtemp(join(tmpdir(), 'studio-token-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const [script, calls] = [join(folder, 'print-token.cjs'), join(folder, 'calls')]
  await writeFile(
    script,
    `const fs = require('node:fs')
const outputs = ${JSON.stringify(outputs)}
let n = 0
try { n = fs.readFileSync(${JSON.stringify(calls)}, 'utf8').length } catch {}
fs.appendFileSync(${JSON.stringify(calls)}, '.')
process.stdout.write(outputs[Math.min(n, outputs.length - 1)])`,
  )
  await chmod(script, 0o700)
  const countCalls = async () => (await readFile(calls, 'utf8').catch(() => '')).length
  return { command: `"${process.execPath}" "${script}"`, countCalls }
}

const source = (command: string, now = () => Date.now()) =>
  readTokenFromCommand(command, { setting: 'tracker.tokenCommand', now })

describe('a command that prints a token', () => {
  it('runs once for many requests', async () => {
    const { command, countCalls } = await createCommand(['first\n'])
    const tokens = source(command)
    expect(await Promise.all([1, 2, 3].map(() => tokens.read(never)))).toEqual(['first', 'first', 'first'])
    expect(await countCalls()).toBe(1)
  })

  it.each([
    ['a signed token', (at: number, n: number) => signedToken({ exp: at / 1000, n })],
    [
      'the JSON of the Azure CLI',
      (at: number, n: number) => JSON.stringify({ accessToken: `t${n}`, expires_on: at / 1000 }),
    ],
  ])('runs again before %s expires', async (_, print) => {
    let now = 1_800_000_000_000
    const outputs = [print(now + HOUR_MS, 1), print(now + 2 * HOUR_MS, 2)]
    const { command, countCalls } = await createCommand(outputs)
    const tokens = source(command, () => now)
    const first = await tokens.read(never)
    now += HOUR_MS - 2 * MINUTE_MS
    expect(await tokens.read(never)).toBe(first)
    now += 1 * MINUTE_MS + 1
    expect(await tokens.read(never)).not.toBe(first)
    expect(await countCalls()).toBe(2)
  })

  it.each([
    ['fails', 'echo "please sign in" >&2; echo secret-output; exit 3', /it failed \(3\), and said: please sign in\./],
    ['does not exist', 'no-such-program-of-studio', /it failed \(127\)/],
    ['prints nothing', 'true', /it did not print one token/],
    ['prints more than a token', 'echo two words', /it did not print one token/],
    ['prints what no header may have', 'printf "a\\rb"', /it did not print one token/],
  ])('that %s is an error that does not show what it printed', async (_, command, message) => {
    const error = await errorOf(source(command).read(never))
    expect(error).toMatchObject({ code: 'tracker_token', message: expect.stringMatching(message) })
    expect(JSON.stringify(error)).not.toContain('secret-output')
  })

  it('is tried again after it failed', async () => {
    const { command } = await createCommand(['', 'second'])
    const tokens = source(command)
    expect(await errorOf(tokens.read(never))).toMatchObject({ code: 'tracker_token' })
    expect(await tokens.read(never)).toBe('second')
  })

  it('is left by a caller whose call ends, and serves the others', async () => {
    const { command } = await createCommand(['token'])
    const tokens = source(command)
    const ending = new AbortController()
    const left = tokens.read(ending.signal)
    const stayed = tokens.read(never)
    ending.abort()
    await expect(left).rejects.toMatchObject({ code: 'interrupted' })
    expect(await stayed).toBe('token')
  })
})

describe('a request to the tracker with the token of a command', () => {
  const accepting = (accepted: () => string) => {
    const answer = batchOf([{ id: 1 }])
    return startStub((request) =>
      request.headers.authorization === accepted()
        ? (answer(request) ?? { json: { value: [] } })
        : { status: 401, json: { message: 'TF400813: not authorized' } },
    )
  }
  const open = (settings: Partial<TrackerSettings> & { url: string }) => {
    const tracker = openTracker({
      kind: 'azure-devops',
      project: 'Parts Shop',
      token: null,
      limits: quick,
      ...settings,
    })
    onTestFinished(() => tracker.close())
    return tracker
  }
  const basic = (token: string) => `Basic ${Buffer.from(`:${token}`).toString('base64')}`

  it('is sent again with a new token, once, after the tracker has rejected the first', async () => {
    const { command, countCalls } = await createCommand(['old', 'new'])
    const stub = await accepting(() => basic('new'))
    expect((await open({ url: stub.url, tokenCommand: command }).getItems([1], { signal: never })).items).toHaveLength(
      1,
    )
    expect(await countCalls()).toBe(2)
  })

  it('fails with the way to a new token if the command has no other', async () => {
    const { command, countCalls } = await createCommand(['old'])
    const stub = await accepting(() => basic('new'))
    const error = await errorOf(open({ url: stub.url, tokenCommand: command }).getItems([1], { signal: never }))
    expect(error).toMatchObject({ code: 'tracker_token', hint: expect.stringContaining('tracker.tokenCommand') })
    expect(JSON.stringify(error)).not.toContain('old')
    expect(await countCalls()).toBeLessThanOrEqual(3)
  })

  it('carries a token of Entra ID as it is, and one of the tracker with Basic authentication', async () => {
    const token = signedToken({ exp: Date.now() / 1000 + 3600 })
    const { command } = await createCommand([token])
    const stub = await accepting(() => `Bearer ${token}`)
    expect((await open({ url: stub.url, tokenCommand: command }).getItems([1], { signal: never })).items).toHaveLength(
      1,
    )
    expect((await open({ url: stub.url, token }).getItems([1], { signal: never })).items).toHaveLength(1)
  })

  it('uses a token of the settings before the command', async () => {
    const { command, countCalls } = await createCommand(['of the command'])
    const stub = await accepting(() => basic('of-the-settings'))
    const tracker = open({ url: stub.url, token: 'of-the-settings', tokenCommand: command })
    expect((await tracker.getItems([1], { signal: never })).items).toHaveLength(1)
    expect(await countCalls()).toBe(0)
  })
})
