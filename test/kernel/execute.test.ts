import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type Actor, type Context, execute, operation, type StudioError, silentLog } from '../../src/kernel'
import { dockCaller } from '../dock-caller'

const context = (actor: Actor = { kind: 'terminal', tenant: 'default' }): Context => ({
  actor,
  clock: { now: () => 0 },
  ids: { uuid: () => '00000000-0000-4000-8000-000000000000', secret: () => '' },
  log: silentLog,
  signal: new AbortController().signal,
  progress: () => {},
})

const double = operation({
  id: 'numbers.double',
  summary: 'Double a number',
  effect: 'read',
  access: 'workspace',
  input: z.strictObject({ n: z.int(), times: z.int().default(2) }),
  output: z.object({ result: z.int() }),
  errors: [],
  run: async (_ctx: Context, { n, times }) => ({ result: n * times }),
})

describe('execute', () => {
  it('fills in the defaults and returns the answer', async () => {
    expect(await execute(double, { n: 4 }, context())).toEqual({ result: 8 })
  })

  it.each([
    ['read', 'copy'],
    ['write', 'original'],
  ] as const)('gives an operation that %ss the %s of the data', async (effect, expected) => {
    const where = operation({
      ...double,
      effect,
      run: async (ctx: Context & { data: string }) => ({ result: ctx.data === expected ? 1 : 0 }),
    })
    const ctx = { ...context(), data: 'original', forReads: { data: 'copy' } }
    expect(await execute(where, { n: 1 }, ctx)).toEqual({ result: 1 })
  })

  it('rejects invalid input field by field, also unknown fields', async () => {
    const refused = execute(double, { n: 'four', tims: 3 }, context())
    await expect(refused).rejects.toMatchObject({
      code: 'invalid',
      details: [{ path: 'n' }, { path: 'tims', message: 'is not a field of this call' }],
    })
  })

  it('says of a missing field that it is required', async () => {
    await expect(execute(double, {}, context())).rejects.toMatchObject({
      details: [{ path: 'n', message: 'is required' }],
    })
  })

  it.each([
    [{ kind: 'anonymous' }, 'unauthenticated'],
    [dockCaller({ role: 'manager' }), 'forbidden'],
  ] as const)('turns %o away', async (actor, code) => {
    await expect(execute(double, { n: 1 }, context(actor))).rejects.toMatchObject({ code })
  })

  it('allows calls for tenants only to the terminal and a key', async () => {
    const book = { ...double, access: { docks: 'clerk' as const } }
    await expect(execute(book, { n: 1 }, context({ kind: 'local' }))).rejects.toMatchObject({ code: 'unauthenticated' })
    expect(await execute(book, { n: 1 }, context(dockCaller({ role: 'manager' })))).toEqual({
      result: 2,
    })
  })

  it('reports an internal error without its message', async () => {
    const failing = { ...double, run: () => Promise.reject(new Error('password is hunter2')) }
    const error = await execute(failing, { n: 1 }, context()).catch((caught) => caught as StudioError)
    expect(error).toMatchObject({ code: 'internal' })
    expect((error as StudioError).message).not.toContain('hunter2')
  })

  it('checks an answer against its schema', async () => {
    const lying = { ...double, run: async () => ({ result: 'eight' as unknown as number }) }
    await expect(execute(lying, { n: 4 }, context())).rejects.toMatchObject({ code: 'internal' })
  })

  it('does not start an interrupted call', async () => {
    const ctx = { ...context(), signal: AbortSignal.abort() }
    await expect(execute(double, { n: 4 }, ctx)).rejects.toMatchObject({ code: 'interrupted' })
  })
})
