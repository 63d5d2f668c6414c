import { describe, expect, it } from 'vitest'
import { parseItemFile } from '../../../src/items/rules/item-file'
import { normalizeFieldName } from '../../../src/items/rules/update-fields'
import { findTypeLevel } from '../../../src/tracker/services/type-level'

describe('names that every object has, in what comes from files and trackers', () => {
  it.each(['constructor', 'toString', 'valueOf', '__proto__', 'hasOwnProperty'])(
    'are names as any other: %s',
    (name) => {
      expect(findTypeLevel(name)).toBe(1)
      expect(typeof normalizeFieldName(name)).toBe('string')
      expect(parseItemFile(`{"title":"A","${name}":"B"}`, 'item.json')).toMatchObject({ title: 'A' })
    },
  )

  it('are fields of a new item', () => {
    expect(parseItemFile('{"title":"A","constructor":"B"}', 'item.json')).toEqual({
      title: 'A',
      fields: { constructor: 'B' },
    })
  })
})
