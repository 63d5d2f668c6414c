import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import * as z from 'zod'
import { createStreamBody } from '../../src/http/answers/stream-body'
import { chooseStreamFormat } from '../../src/http/stream-route'
import { operation, type StreamEvent, StudioError } from '../../src/kernel'

const op = operation({
  id: 'a.b',
  summary: 'A',
  effect: 'read',
  access: 'public',
  input: z.object({}),
  output: z.object({}),
  errors: [],
  run: async () => ({}),
  stream: { event: z.any(), async *open() {} },
})
const format = chooseStreamFormat(op, 'text/event-stream')!

function bodyOver(events: AsyncIterator<StreamEvent>) {
  const notes: string[] = []
  const body = createStreamBody({
    events,
    format,
    requestId: 'r-1',
    pingAfterMs: 15_000,
    cancel: () => notes.push('left'),
    done: () => notes.push('done'),
  })
  return { reader: body.getReader(), notes }
}

const textOf = (chunk: { value?: Uint8Array | undefined }) => new TextDecoder().decode(chunk.value)

describe('a body in parts', () => {
  it('requests an event only when the previous one was sent', async () => {
    let made = 0
    async function* source(): AsyncGenerator<StreamEvent> {
      while (made < 1000) yield { event: 'n', n: ++made }
    }
    const { reader } = bodyOver(source())
    await new Promise((resolve) => setImmediate(resolve))
    expect(made).toBe(0)
    for (let n = 1; n <= 10; n++) {
      expect(textOf(await reader.read())).toBe(`event: n\ndata: {"n":${n}}\n\n`)
      expect(made).toBeLessThanOrEqual(n)
    }
  })

  it('ends when its source does', async () => {
    async function* source(): AsyncGenerator<StreamEvent> {
      yield { event: 'n' }
    }
    const { reader, notes } = bodyOver(source())
    await reader.read()
    expect((await reader.read()).done).toBe(true)
    expect(notes).toEqual(['done'])
  })

  it('sends an error as its last part, with the usual error body', async () => {
    async function* source(): AsyncGenerator<StreamEvent> {
      yield { event: 'n' }
      throw new StudioError('llm_answer', 'It broke off.', { hint: 'Try again.' })
    }
    const { reader, notes } = bodyOver(source())
    await reader.read()
    const [, event, data] = /^event: (\w+)\ndata: (.*)\n\n$/.exec(textOf(await reader.read()))!
    expect(event).toBe('error')
    expect(JSON.parse(data!)).toEqual({
      status: 'error',
      code: 'llm_answer',
      message: 'It broke off.',
      hint: 'Try again.',
      details: [],
      requestId: 'r-1',
    })
    expect((await reader.read()).done).toBe(true)
    expect(notes).toEqual(['done'])
  })

  it('hides the files of this machine in it', async () => {
    async function* source(): AsyncGenerator<StreamEvent> {
      yield { event: 'n' }
      const file = '/home/ana/studio.db'
      throw new StudioError('database_busy', `The database ${file} is busy.`, {
        places: [{ text: file, name: 'file' }],
      })
    }
    const { reader } = bodyOver(source())
    await reader.read()
    const shown = textOf(await reader.read())
    expect(shown).toContain('The database file is busy.')
    expect(shown).not.toContain('ana')
  })

  it('ends its source when the reader leaves, also while it waits for an event', async () => {
    let closed = false
    let fail: (error: Error) => void = () => {}
    async function* source(): AsyncGenerator<StreamEvent> {
      try {
        yield { event: 'n' }
        await new Promise((_, reject) => {
          fail = reject
        })
      } finally {
        closed = true
      }
    }
    const { reader, notes } = bodyOver(source())
    await reader.read()
    void reader.read()
    await new Promise((resolve) => setImmediate(resolve))
    const gone = reader.cancel()
    expect(notes).toEqual(['left', 'done'])
    fail(new DOMException('left', 'AbortError'))
    await gone
    expect(closed).toBe(true)
  })

  describe('while its source is silent', () => {
    beforeEach(() => {
      vi.useFakeTimers()
    })
    afterEach(() => {
      vi.useRealTimers()
    })

    it('sends a ping every 15 seconds, and loses no event', async () => {
      let give: (event: StreamEvent) => void = () => {}
      async function* source(): AsyncGenerator<StreamEvent> {
        yield await new Promise<StreamEvent>((resolve) => {
          give = resolve
        })
      }
      const { reader } = bodyOver(source())
      for (let i = 0; i < 3; i++) {
        const chunk = reader.read()
        await vi.advanceTimersByTimeAsync(15_000)
        expect(textOf(await chunk)).toBe(':\n\n')
      }
      const chunk = reader.read()
      await vi.advanceTimersByTimeAsync(1)
      give({ event: 'late' })
      expect(textOf(await chunk)).toBe('event: late\ndata: {}\n\n')
    })
  })
})
