import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { SingleFlight } from '../../../src/search/services/single-flight'

/** A task that ends on request and counts how often it was started. */
function heldTask() {
  const started: { signal: AbortSignal; end(value: string): void; fail(error: Error): void }[] = []
  const task = (signal: AbortSignal) =>
    new Promise<string>((end, fail) => {
      started.push({ signal, end, fail })
    })
  return { started, task }
}

const never = new AbortController().signal

describe('a shared run', () => {
  it('runs once for concurrent callers, and again for later ones', async () => {
    const { started, task } = heldTask()
    const run = new SingleFlight<string>()
    const answers = [run.join(never, task), run.join(never, task), run.join(never, task)]
    started[0]!.end('first')
    expect(await Promise.all(answers)).toEqual(['first', 'first', 'first'])
    expect(started.length).toBe(1)
    await setImmediate()
    const later = run.join(never, task)
    started[1]!.end('second')
    expect(await later).toBe('second')
  })

  it('fails for all waiting callers, and restarts at the next call', async () => {
    const { started, task } = heldTask()
    const run = new SingleFlight<string>()
    const answers = [run.join(never, task), run.join(never, task)]
    started[0]!.fail(new Error('disk full'))
    for (const answer of answers) await expect(answer).rejects.toThrow('disk full')
    await setImmediate()
    expect(run.isRunning).toBe(false)
  })

  it('continues when one caller aborts, and stops when the last one does', async () => {
    const { started, task } = heldTask()
    const run = new SingleFlight<string>()
    const [one, other] = [new AbortController(), new AbortController()]
    const answers = [run.join(one.signal, task), run.join(other.signal, task)]
    one.abort(new Error('gone'))
    await expect(answers[0]).rejects.toThrow('gone')
    expect(started[0]!.signal.aborted).toBe(false)
    other.abort(new Error('gone too'))
    await expect(answers[1]).rejects.toThrow('gone too')
    expect(started[0]!.signal.aborted).toBe(true)
    const next = run.join(never, task)
    started[1]!.end('a new run')
    expect(await next).toBe('a new run')
  })
})
