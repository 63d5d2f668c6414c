import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { shapeText } from '../../../src/http/discovery/shape-text'
import { jsonSchemaOf } from '../../../src/kernel/input/json-schema'

const Node = z.object({
  id: z.int(),
  get children() {
    return z.array(Node)
  },
})

describe('the text of a shape', () => {
  it.each([
    [z.int(), 'integer'],
    [z.string().nullable(), 'string | null'],
    [z.enum(['a', 'b']), '"a" | "b"'],
    [z.array(z.enum(['a', 'b'])), '("a" | "b")[]'],
    [z.array(z.object({ id: z.int(), tags: z.array(z.string()).optional() })), '{ id: integer, tags?: string[] }[]'],
    [z.record(z.string(), z.number()), '{ [name]: number }'],
    [z.union([z.string(), z.object({ a: z.literal(1) })]), 'string | { a: 1 }'],
    [z.unknown(), 'any'],
    [z.object({ roots: z.array(Node) }), '{ roots: { id: integer, children: the same shape[] }[] }'],
  ])('%#: %s', (schema, text) => {
    expect(shapeText(jsonSchemaOf(schema, 'output'))).toBe(text)
  })
})
