import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { chooseStreamFormat } from '../../src/http/stream-route'
import { type AnyOperation, operation } from '../../src/kernel'

const op = (stream: Partial<NonNullable<AnyOperation['stream']>> | null): AnyOperation =>
  operation({
    id: 'a.b',
    summary: 'A',
    effect: 'read',
    access: 'public',
    input: z.object({}),
    output: z.object({}),
    errors: [],
    run: async () => ({}),
    ...(stream ? { stream: { event: z.any(), async *open() {}, ...stream } } : {}),
  })

describe('the form of an answer', () => {
  it.each([
    [undefined, 'text/event-stream', null],
    ['*/*', 'text/event-stream', null],
    ['text/event-stream', 'text/event-stream', 'text/event-stream'],
    ['application/x-ndjson', 'application/x-ndjson', 'application/x-ndjson'],
    ['application/json', null, null],
    ['application/json, text/event-stream', null, null],
    ['application/json;q=0.5, text/event-stream', 'text/event-stream', 'text/event-stream'],
    ['text/event-stream;q=0, application/x-ndjson;q=0.1', 'application/x-ndjson', 'application/x-ndjson'],
    ['text/html', 'text/event-stream', null],
  ])('for Accept: %s is %s if the operation streams by default, else %s', (accept, usual, asked) => {
    expect(chooseStreamFormat(op({ byDefault: true }), accept)?.mediaType ?? null).toBe(usual)
    expect(chooseStreamFormat(op({}), accept)?.mediaType ?? null).toBe(asked)
    expect(chooseStreamFormat(op(null), accept)).toBeNull()
  })

  it('puts each event on its own lines, whatever is in it', () => {
    const event = { event: 'token', text: 'a\n\nevent: done\ndata: {}\r\n' }
    const sse = chooseStreamFormat(op({}), 'text/event-stream')!
    expect(sse.formatEvent(event)).toBe('event: token\ndata: {"text":"a\\n\\nevent: done\\ndata: {}\\r\\n"}\n\n')
    const lines = chooseStreamFormat(op({}), 'application/x-ndjson')!
    expect(lines.formatEvent(event).trimEnd()).not.toContain('\n')
    expect(JSON.parse(lines.formatEvent(event))).toEqual(event)
    expect(JSON.parse(lines.ping)).toEqual({ event: 'ping' })
    expect(sse.ping).toMatch(/^:/)
  })
})
