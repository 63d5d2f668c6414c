import { describe, expect, it } from 'vitest'
import type { JsonSchema } from '../../src/kernel/input/json-schema'
import { liftRepeats } from '../../src/kernel/input/lift-repeats'

const person = (): JsonSchema => ({
  type: 'object',
  properties: { displayName: { type: 'string' }, uniqueName: { type: 'string' } },
})
const item = (): JsonSchema => ({ type: 'object', properties: { id: { type: 'integer' }, assignedTo: person() } })

describe('lifting repeated schemas', () => {
  it('writes a repeated object once, named after the property that contains it', () => {
    const roots = [
      { id: 'items.get', schema: item() },
      { id: 'items.list', schema: { type: 'array', items: item() } as JsonSchema },
    ]
    const components = liftRepeats(roots)
    expect(Object.keys(components)).toEqual(['WorkItem'])
    expect(roots[0]!.schema).toEqual({ $ref: '#/components/schemas/WorkItem' })
    expect(roots[1]!.schema).toEqual({ type: 'array', items: { $ref: '#/components/schemas/WorkItem' } })
  })

  it('lifts a part of a lifted schema if it also occurs elsewhere', () => {
    const roots = [
      { id: 'items.get', schema: item() },
      { id: 'items.list', schema: { type: 'array', items: item() } as JsonSchema },
      { id: 'reports.summary', schema: { type: 'object', properties: { assignedTo: person() } } as JsonSchema },
    ]
    const components = liftRepeats(roots)
    expect(Object.keys(components)).toEqual(['Person', 'WorkItem'])
    expect(components['WorkItem']!.properties!['assignedTo']).toEqual({ $ref: '#/components/schemas/Person' })
    expect(components['Person']).toEqual(person())
  })

  it('leaves the description of a place there', () => {
    const said = { ...person(), description: 'Who writes', 'x-extension': true }
    const roots = [
      { id: 'a.get', schema: { type: 'object', properties: { writer: said } } as JsonSchema },
      { id: 'b.get', schema: { type: 'object', properties: { writer: person() } } as JsonSchema },
    ]
    expect(Object.keys(liftRepeats(roots))).toEqual(['Writer'])
    expect(roots[0]!.schema.properties!['writer']).toEqual({
      $ref: '#/components/schemas/Writer',
      description: 'Who writes',
      'x-extension': true,
    })
  })

  it('gives two schemas of the same name different names', () => {
    const other = (): JsonSchema => ({ type: 'object', properties: { a: {}, b: {}, c: {} } })
    const twice = (id: string, schema: () => JsonSchema) => [
      { id, schema: { type: 'object', properties: { door: schema() } } as JsonSchema },
      { id, schema: { type: 'array', items: { type: 'object', properties: { door: schema() } } } as JsonSchema },
    ]
    const names = Object.keys(liftRepeats([...twice('slots.get', person), ...twice('plans.get', other)]))
    expect(new Set(names).size).toBe(2)
  })

  it('names a recursive schema', () => {
    const node: JsonSchema = {
      type: 'object',
      properties: { id: { type: 'integer' }, children: { type: 'array', items: { $ref: '#/$defs/__schema0' } } },
    }
    const schema: JsonSchema = { type: 'array', items: { $ref: '#/$defs/__schema0' }, $defs: { __schema0: node } }
    const components = liftRepeats([{ id: 'reports.hierarchy', schema }])
    const ref = { $ref: '#/components/schemas/HierarchyNode' }
    expect(schema).toEqual({ type: 'array', items: ref })
    expect(components['HierarchyNode']!.properties!['children']!.items).toEqual(ref)
  })
})
