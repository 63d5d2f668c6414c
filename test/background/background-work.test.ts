import { describe, expect, it } from 'vitest'
import { BackgroundWork, computeRetryMs } from '../../src/background/background-work'
import { type Log, StudioError } from '../../src/kernel'

function record() {
  const lines: [level: string, message: string, facts: Record<string, unknown> | undefined][] = []
  const at = (level: string) => (message: string, facts?: Record<string, unknown>) =>
    void lines.push([level, message, facts])
  const log: Log = { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
  return { lines, log }
}

const lost = () =>
  new StudioError('unavailable', 'The database /srv/studio.db cannot be reached.', {
    places: [{ text: '/srv/studio.db', name: 'the database' }],
    cause: new Error('connect ECONNREFUSED'),
  })

describe('the work of a service in the background', () => {
  it('reports an outage once, without paths and stacks, and when it is over', async () => {
    const { lines, log } = record()
    const outcomes = [lost(), lost(), lost(), null, lost()]
    const work = new BackgroundWork({ log, signal: new AbortController().signal }, 'the delivery', async () => {
      const error = outcomes.shift()
      if (error) throw error
    })
    for (let i = 0; i < 5; i++) await work.attempt()
    expect(lines).toEqual([
      [
        'error',
        expect.stringMatching(/^the delivery waits: The database .*cannot be reached\.$/),
        { code: 'unavailable' },
      ],
      ['info', 'the delivery goes on', { failures: 3 }],
      ['error', expect.stringMatching(/^the delivery waits: /), { code: 'unavailable' }],
    ])
    expect(JSON.stringify(lines)).not.toContain('/srv')
  })

  it('shows where an error in studio happened', async () => {
    const { lines, log } = record()
    const bug = new TypeError('x is not a function')
    const work = new BackgroundWork({ log, signal: new AbortController().signal }, 'the delivery', () =>
      Promise.reject(bug),
    )
    await work.attempt()
    expect(lines).toEqual([['error', 'the delivery failed and is tried again', { cause: bug }]])
  })

  it('waits longer after each failure, up to half a minute', () => {
    expect([1, 2, 3, 5, 6, 100].map(computeRetryMs)).toEqual([1_000, 2_000, 4_000, 16_000, 30_000, 30_000])
  })

  it('goes on until the signal is aborted', async () => {
    const { lines, log } = record()
    const ending = new AbortController()
    let attempts = 0
    const work = new BackgroundWork({ log, signal: ending.signal }, 'the delivery', async () => {
      attempts++
      if (attempts === 1) throw lost()
      if (attempts === 3) ending.abort()
    })
    await work.repeat(0)
    expect([attempts, lines.length]).toEqual([3, 2])
  })
})
