import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ServerPart } from '../../../src/assistant/adapters/server'
import { defaultLimits } from '../../../src/assistant/services/limits'
import { withTimeouts } from '../../../src/assistant/services/timeouts'
import { withResolvers } from '../stub-model'

const limits = { ...defaultLimits, loadMs: 10_000, silenceMs: 1_000, answerMs: 20_000 }
const sign: ServerPart = { kind: 'sign' }

/** A server whose every part is given by the test. */
function server() {
  let next = withResolvers<ServerPart | Error>()
  const give = (part: ServerPart | Error) => {
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
  const givenUp = vi.fn((reason: Error) => give(reason))
  return { give, givenUp, patient: withTimeouts(parts(), limits, givenUp) }
}

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

describe('patience with a model', () => {
  it('lasts longer for the first sign than for the next', async () => {
    const { give, givenUp, patient } = server()
    const first = patient.next()
    await vi.advanceTimersByTimeAsync(9_999)
    expect(givenUp).not.toHaveBeenCalled()
    give(sign)
    await first
    const second = patient.next().catch((error: unknown) => error)
    await vi.advanceTimersByTimeAsync(999)
    expect(givenUp).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    expect(await second).toMatchObject({ code: 'llm_timeout', message: expect.stringContaining('sent nothing') })
  })

  it('ends before the first sign too', async () => {
    const { patient } = server()
    const first = patient.next().catch((error: unknown) => error)
    await vi.advanceTimersByTimeAsync(10_000)
    expect(await first).toMatchObject({ code: 'llm_timeout', message: expect.stringContaining('not ready') })
  })

  it('does not count the time that the reader takes', async () => {
    const { give, givenUp, patient } = server()
    for (let i = 0; i < 5; i++) {
      const part = patient.next()
      await vi.advanceTimersByTimeAsync(1)
      give(sign)
      await part
      await vi.advanceTimersByTimeAsync(60_000)
    }
    expect(givenUp).not.toHaveBeenCalled()
  })

  it('ends an answer that drips steadily', async () => {
    const { give, givenUp, patient } = server()
    let end: unknown = null
    for (let i = 0; i < 25 && end === null; i++) {
      const part = patient.next().catch((error: unknown) => {
        end = error
      })
      await vi.advanceTimersByTimeAsync(900)
      if (givenUp.mock.calls.length === 0) give(sign)
      await part
    }
    expect(end).toMatchObject({ code: 'llm_timeout' })
  })
})
