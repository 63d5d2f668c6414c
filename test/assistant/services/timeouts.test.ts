import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ServerPart } from '../../../src/assistant/adapters/model-server'
import { defaultModelLimits, withTimeouts } from '../../../src/assistant/services/timeouts'
import { withResolvers } from '../stub-model'

const limits = { ...defaultModelLimits, loadMs: 10_000, idleMs: 1_000, answerMs: 20_000 }
const activity: ServerPart = { kind: 'activity' }

/** A server whose parts the test sends. */
function server() {
  let next = withResolvers<ServerPart | Error>()
  const send = (part: ServerPart | Error) => {
    const given = next
    next = withResolvers()
    given.resolve(part)
  }
  async function* parts(): AsyncGenerator<ServerPart> {
    for (;;) {
      const part = await next.promise
      if (part instanceof Error) throw part
      yield part
    }
  }
  const aborted = vi.fn((reason: Error) => send(reason))
  return { send, aborted, timed: withTimeouts(parts(), limits, aborted) }
}

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

describe('timeouts of a model', () => {
  it('allow more time for the first activity than for the next', async () => {
    const { send, aborted, timed } = server()
    const first = timed.next()
    await vi.advanceTimersByTimeAsync(9_999)
    expect(aborted).not.toHaveBeenCalled()
    send(activity)
    await first
    const second = timed.next().catch((error: unknown) => error)
    await vi.advanceTimersByTimeAsync(999)
    expect(aborted).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    expect(await second).toMatchObject({ code: 'llm_timeout', message: expect.stringContaining('sent nothing') })
  })

  it('end a request that has no activity at all', async () => {
    const { timed } = server()
    const first = timed.next().catch((error: unknown) => error)
    await vi.advanceTimersByTimeAsync(10_000)
    expect(await first).toMatchObject({ code: 'llm_timeout', message: expect.stringContaining('not ready') })
  })

  it('do not count the time of the consumer', async () => {
    const { send, aborted, timed } = server()
    for (let i = 0; i < 5; i++) {
      const part = timed.next()
      await vi.advanceTimersByTimeAsync(1)
      send(activity)
      await part
      await vi.advanceTimersByTimeAsync(60_000)
    }
    expect(aborted).not.toHaveBeenCalled()
  })

  it('end an answer that never stops', async () => {
    const { send, aborted, timed } = server()
    let end: unknown = null
    for (let i = 0; i < 25 && end === null; i++) {
      const part = timed.next().catch((error: unknown) => {
        end = error
      })
      await vi.advanceTimersByTimeAsync(900)
      if (aborted.mock.calls.length === 0) send(activity)
      await part
    }
    expect(end).toMatchObject({ code: 'llm_timeout' })
  })
})
