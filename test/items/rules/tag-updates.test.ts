import { describe, expect, it } from 'vitest'
import { listTagChanges, parseTagChanges, planTags } from '../../../src/items/rules/tag-updates'
import { buildItemChange } from '../../../src/items/rules/update-plan'

describe('changes of tags', () => {
  it('add with a plus sign and remove with a minus sign', () => {
    expect(parseTagChanges(['+ready', '- on hold ', '+Ready'])).toEqual({ add: ['Ready'], remove: ['on hold'] })
  })

  it.each([
    [['ready'], 'must begin with +'],
    [['+ '], 'names no tag'],
    [['+a;b'], 'semicolon'],
    [['+a\nb'], 'control character'],
    [['+gate', '-Gate'], 'adds and removes'],
  ])('%j is refused: %s', (changes, message) => {
    expect(parseTagChanges(changes)).toMatchObject({ problems: [{ message: expect.stringContaining(message) }] })
  })

  const item = { id: 1, rev: 4, fields: {}, markdownFields: [], tags: ['Gate', 'blocked'] }

  it('are only those that the item needs, in any letter case', () => {
    expect(planTags(item, { add: ['gate', 'ready'], remove: ['BLOCKED', 'late'] })).toEqual({
      add: ['ready'],
      remove: ['blocked'],
    })
  })

  it('are shown with all tags before and after', () => {
    const [change] = listTagChanges(item, { add: ['ready'], remove: ['blocked'] })
    expect(change).toEqual({ field: 'Tags', from: 'Gate; blocked', to: 'Gate; ready', storedAs: null })
    expect(listTagChanges(item, { add: ['gate'], remove: ['late'] })).toEqual([])
  })

  it('are sent beside the values of fields, and alone', () => {
    expect(buildItemChange(item, [], { tags: { add: ['ready'], remove: [] } })).toEqual({
      id: 1,
      rev: 4,
      fields: {},
      tags: { add: ['ready'], remove: [] },
    })
    expect(buildItemChange(item, [], { tags: { add: ['gate'], remove: [] } })).toBeNull()
  })
})
