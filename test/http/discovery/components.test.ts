import { describe, expect, it } from 'vitest'
import { liftRepeats } from '../../../src/http/discovery/components'
import type { JsonSchema } from '../../../src/kernel/json-schema'

const person = (): JsonSchema => ({
  type: 'object',
  properties: { displayName: { type: 'string' }, uniqueName: { type: 'string' } },
})
const item = (): JsonSchema => ({ type: 'object', properties: { id: { type: 'integer' }, assignedTo: person() } })

describe('lifting what schemas have in common', () => {
  it('gives a repeated object once, under the name of what holds it', () => {
    const roots = [
      { id: 'items.get', schema: item() },
      { id: 'items.list', schema: { type: 'array', items: item() } as JsonSchema },
    ]
    const components = liftRepeats(roots)
    expect(Object.keys(components)).toEqual(['WorkItem'])
    expect(roots[0]!.schema).toEqual({ $ref: '#/components/schemas/WorkItem' })
    expect(roots[1]!.schema).toEqual({ type: 'array', items: { $ref: '#/components/schemas/WorkItem' } })
  })

  it('lifts a part out of what was lifted where it stands elsewhere too', () => {
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

  it('keeps what is said of a place at the place', () => {
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

  it('gives two things of one name two names', () => {
    const other = (): JsonSchema => ({ type: 'object', properties: { a: {}, b: {}, c: {} } })
    const twice = (id: string, schema: () => JsonSchema) => [
      { id, schema: { type: 'object', properties: { door: schema() } } as JsonSchema },
      { id, schema: { type: 'array', items: { type: 'object', properties: { door: schema() } } } as JsonSchema },
    ]
    const names = Object.keys(liftRepeats([...twice('slots.get', person), ...twice('plans.get', other)]))
    expect(new Set(names).size).toBe(2)
  })

  it('gives a schema that holds itself a name', () => {
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
