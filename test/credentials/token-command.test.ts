import { describe, expect, it } from 'vitest'
import { readTokenFromCommand } from '../../src/credentials/token-command'
import { HOUR_MS, MINUTE_MS } from '../../src/kernel/time'
import { createCommand, createScript, FAILING_SCRIPT, signedToken } from './printed-tokens'

const never = new AbortController().signal
const errorOf = (result: Promise<unknown>) =>
  result.then(
    () => null,
    (error: unknown) => error,
  )

const source = (command: string, now = () => Date.now()) =>
  readTokenFromCommand(command, { setting: 'llm.tokenCommand', code: 'tracker_token', now })

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
    ['fails', FAILING_SCRIPT, /it failed \(3\), and said: please sign in\./],
    ['prints nothing', '', /it did not print one token/],
    ['prints more than a token', "console.log('two words')", /it did not print one token/],
    ['prints what no header may have', "process.stdout.write('a\\rb')", /it did not print one token/],
  ])('that %s is an error that does not show what it printed', async (_, script, message) => {
    const { command } = await createScript(script)
    const error = await errorOf(source(command).read(never))
    expect(error).toMatchObject({ code: 'tracker_token', message: expect.stringMatching(message) })
    expect(JSON.stringify(error)).not.toContain('secret-output')
  })

  it('that does not exist is an error', async () => {
    expect(await errorOf(source('no-such-program-of-studio').read(never))).toMatchObject({
      code: 'tracker_token',
      message: expect.stringMatching(/it failed \(\d+\), and said: .*no-such-program-of-studio/),
    })
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
    await expect(left).rejects.toMatchObject({ name: 'AbortError' })
    expect(await stayed).toBe('token')
  })
})
