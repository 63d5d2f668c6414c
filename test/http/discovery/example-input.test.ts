import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { curlLine } from '../../../src/http/discovery/example-call'
import { exampleInput } from '../../../src/http/discovery/example-input'
import { type AnyOperation, type CliBinding, type HttpBinding, operation } from '../../../src/kernel'

function declared(
  input: z.ZodObject,
  { cli, http }: { cli?: Partial<CliBinding>; http?: Partial<HttpBinding> } = {},
): AnyOperation {
  return operation({
    id: 'notes.take',
    summary: 'Take a note',
    effect: 'write',
    access: 'workspace',
    input,
    output: z.object({}),
    errors: [],
    http: { method: 'post', path: '/api/notes', ...http },
    cli: cli && { command: 'note', examples: [], ...cli },
    run: async () => ({}),
  })
}

const note = z.strictObject({
  id: z.int(),
  text: z.string().optional(),
  tags: z.array(z.string()).optional(),
  pinned: z.boolean().default(false),
})

describe('the example of an operation', () => {
  it.each([
    ['studio note 7', { id: 7 }],
    ['studio note 7 --text "two words" --pinned', { id: 7, text: 'two words', pinned: true }],
    ['studio note 7 --label red blue', { id: 7, tags: ['red', 'blue'] }],
  ])('is derived from %s', (line, input) => {
    const op = declared(note, { cli: { args: ['id'], flags: { tags: { name: 'label' } }, examples: [line] } })
    expect(exampleInput(op)).toEqual(input)
  })

  it.each([
    'studio note 7 --json',
    'date | studio note -',
    'studio note 7 > note.txt',
    'studio other 7',
    'studio note seven',
  ])('is not derived from %s, which needs more than the operation', (line) => {
    const op = declared(note, { cli: { args: ['id'], examples: [line, 'studio note 8'] } })
    expect(exampleInput(op)).toEqual({ id: 8 })
  })

  it('is the declared one, if there is one', () => {
    const op = declared(note, { cli: { args: ['id'], examples: ['studio note 8'] }, http: { example: { id: 9 } } })
    expect(exampleInput(op)).toEqual({ id: 9 })
  })

  it('is derived from the schema if there is no command', () => {
    const input = z.strictObject({
      id: z.uuid(),
      day: z.iso.date(),
      kind: z.enum(['pickup', 'delivery']),
      count: z.int().min(3),
      open: z.string().optional(),
    })
    expect(exampleInput(declared(input))).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      day: '2027-03-01',
      kind: 'pickup',
      count: 3,
    })
  })

  it('is a line for a shell, with the path filled in and safe quotes', () => {
    const http = { method: 'put', path: '/api/notes/{id}' } as const
    const op = declared(note, { cli: { args: ['id'], examples: ['studio note 7 --text "it\'s"'] }, http })
    expect(curlLine(op, 'http://127.0.0.1:4317', null)).toBe(
      `curl -s -X PUT 'http://127.0.0.1:4317/api/notes/7' -H 'Content-Type: application/json' -d '{"text":"it'\\''s"}'`,
    )
    const get = declared(note, {
      cli: { args: ['id'], examples: ['studio note 7 --text "a b"'] },
      http: { method: 'get', path: '/api/notes/{id}', query: { said: 'text' } },
    })
    expect(curlLine(get, 'http://h', 'Authorization: Bearer $T')).toBe(
      `curl -s 'http://h/api/notes/7?said=a+b' -H "Authorization: Bearer $T"`,
    )
  })
})
