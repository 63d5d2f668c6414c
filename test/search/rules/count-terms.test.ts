import { describe, expect, it } from 'vitest'
import { FIELDS } from '../../../src/search/rules/bm25'
import { countTerms } from '../../../src/search/rules/count-terms'

const count = (texts: Partial<Record<(typeof FIELDS)[number], string>>) =>
  countTerms({ title: '', tags: '', criteria: '', description: '', ...texts }, ({ form }) => form)

describe('the terms of an entity', () => {
  it('are counted by field', () => {
    const { terms, times } = count({ title: 'dock door', tags: 'door', description: 'door door' })
    const byTerm = terms.map((term, i) => [term, [...times.slice(i * FIELDS.length, (i + 1) * FIELDS.length)]])
    expect(Object.fromEntries(byTerm)).toEqual({ dock: [1, 0, 0, 0], door: [1, 1, 0, 2] })
  })

  it('do not count stop words and joined forms in the length of a field', () => {
    const { lengths, terms } = count({ title: 'the dockDoor', description: '日本語' })
    expect(lengths).toEqual({ title: 2, tags: 0, criteria: 0, description: 3 })
    expect(terms).toContain('dockdoor')
    expect(terms).toContain('the')
  })

  it('are in the order of the title', () => {
    expect(count({ title: 'The dockDoor bell', tags: 'x' }).titleLine).toBe('the dock door bell ')
  })
})
