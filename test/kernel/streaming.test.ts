import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { type Actor, type Context, executeStream, operation, type StreamEvent, silentLog } from '../../src/kernel'

const terminal: Actor = { kind: 'terminal', tenant: 'default' }

function context(given: Partial<Context> = {}): Context {
  return {
    actor: terminal,
    clock: { now: () => 0 },
    ids: { uuid: () => 'u', secret: () => 's' },
    log: silentLog,
    signal: new AbortController().signal,
    progress() {},
    ...given,
  }
}

/** Counts to `to`, and notes what was done. */
function counting(notes: string[] = []) {
  async function* open(_: Context, { to }: { to: number }): AsyncGenerator<StreamEvent> {
    try {
      for (let n = 1; n <= to; n++) {
        notes.push(`made ${n}`)
        yield { event: 'number', n }
      }
    } finally {
      notes.push('closed')
    }
  }
  return operation({
    id: 'numbers.count',
    summary: 'Count',
    effect: 'read',
    access: 'workspace',
    input: z.strictObject({ to: z.int().min(1) }),
    output: z.object({}),
    errors: [],
    run: async () => ({}),
    stream: { event: z.object({ event: z.literal('number'), n: z.number().max(3) }), open },
  })
}

async function all(events: AsyncIterable<StreamEvent>): Promise<StreamEvent[]> {
  const list: StreamEvent[] = []
  for await (const event of events) list.push(event)
  return list
}

describe('an answer in parts', () => {
  it('comes part by part, each produced when it is requested', async () => {
    const notes: string[] = []
    const events = executeStream(counting(notes), { to: 3 }, context())
    expect(notes).toEqual([])
    expect(await events.next()).toEqual({ done: false, value: { event: 'number', n: 1 } })
    expect(notes).toEqual(['made 1'])
    expect(await all(events)).toEqual([
      { event: 'number', n: 2 },
      { event: 'number', n: 3 },
    ])
    expect(notes.at(-1)).toBe('closed')
  })

  it('releases its source when the reader stops', async () => {
    const notes: string[] = []
    for await (const _ of executeStream(counting(notes), { to: 3 }, context())) break
    expect(notes).toEqual(['made 1', 'closed'])
  })

  it('is refused before its first part: by access, by input, by a call that has ended', async () => {
    const notes: string[] = []
    const refusal = (input: unknown, given: Partial<Context> = {}) =>
      all(executeStream(counting(notes), input, context(given)))
    await expect(refusal({ to: 0 })).rejects.toMatchObject({ code: 'invalid' })
    await expect(refusal({ to: 1 }, { actor: { kind: 'anonymous' } })).rejects.toMatchObject({
      code: 'unauthenticated',
    })
    await expect(refusal({ to: 1 }, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'interrupted' })
    expect(notes).toEqual([])
  })

  it('ends with an internal error if a part does not match its schema, and logs it', async () => {
    const failures: unknown[] = []
    const log = { ...silentLog, error: (_: string, facts?: Record<string, unknown>) => failures.push(facts) }
    const events = executeStream(counting(), { to: 4 }, context({ log }))
    await expect(all(events)).rejects.toMatchObject({ code: 'internal' })
    expect(failures).toEqual([expect.objectContaining({ operation: 'numbers.count', code: 'internal' })])
  })

  it('is an error for an operation that cannot stream', async () => {
    const { stream: _, ...whole } = counting()
    await expect(all(executeStream(whole, { to: 1 }, context()))).rejects.toMatchObject({ code: 'internal' })
  })
})
