import { getEventListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import { createCallSignal } from '../../src/http/call'

describe('the signal of a call', () => {
  it('is aborted with any of its sources, for their reason', () => {
    const stopping = new AbortController()
    const { signal } = createCallSignal([new AbortController().signal, stopping.signal], 60_000)
    const reason = new DOMException('The server stops.', 'AbortError')
    stopping.abort(reason)
    expect(signal).toMatchObject({ aborted: true, reason })
  })

  it('has its own reason for a caller who has left', () => {
    const caller = new AbortController()
    const { signal } = createCallSignal([caller.signal], 60_000)
    caller.abort('Client connection prematurely closed.')
    expect(signal.reason).toMatchObject({ name: 'AbortError' })
  })

  it('may share a source with any number of others, and removes its listener when it is done', async () => {
    const warnings: Error[] = []
    const note = (warning: Error) => warnings.push(warning)
    process.on('warning', note)
    const stopping = new AbortController()
    const calls = Array.from({ length: 100 }, () => createCallSignal([stopping.signal], 60_000))
    for (const { done } of calls) done()
    await new Promise(setImmediate)
    process.off('warning', note)
    expect(warnings).toEqual([])
    expect(getEventListeners(stopping.signal, 'abort')).toEqual([])
  })
})
