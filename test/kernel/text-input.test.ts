import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { fieldsOf, textToValues } from '../../src/kernel'

const schema = z.strictObject({
  id: z.int().describe('Work item ID'),
  points: z.number().nullable().optional(),
  cached: z.boolean().default(false),
  ids: z.array(z.int()).optional(),
  type: z.enum(['pickup', 'delivery']).optional(),
})

describe('text as input', () => {
  it('is converted to the type of its field', () => {
    expect(textToValues(schema, { id: '7', points: '2.5', cached: 'true', ids: ['1', '2'] })).toEqual({
      id: 7,
      points: 2.5,
      cached: true,
      ids: [1, 2],
    })
  })

  it('stays text if it cannot be converted, so that the schema rejects it', () => {
    expect(textToValues(schema, { id: '7x', cached: 'maybe', more: '1' })).toEqual({
      id: '7x',
      cached: 'maybe',
      more: '1',
    })
  })

  it('becomes a list of one', () => {
    expect(textToValues(schema, { ids: '5' })).toEqual({ ids: [5] })
  })
})

describe('the fields of an input', () => {
  it('are described as a surface needs them', () => {
    expect(fieldsOf(schema)).toMatchObject([
      { name: 'id', type: 'integer', required: true, about: 'Work item ID' },
      { name: 'points', type: 'number', required: false },
      { name: 'cached', type: 'boolean', required: false, default: false },
      { name: 'ids', type: 'array', itemType: 'integer' },
      { name: 'type', choices: ['pickup', 'delivery'] },
    ])
  })
})
