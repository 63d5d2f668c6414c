import { describe, expect, it } from 'vitest'
import { suggestValues } from '../../../src/search/operations/search-workspace'
import { parseQuery } from '../../../src/search/rules/parse-query'
import { memoryIndexOf } from '../file-index/segments'
import { entity } from '../sample'

async function hintsFor(q: string) {
  const entities = [
    entity(1, 'Dock', { state: 'Active', tags: ['night shift'] }),
    entity(2, 'Door', { state: 'In Review' }),
  ]
  const index = memoryIndexOf(entities)
  const query = parseQuery(q, null)
  const { total } = await index.search(query, { limit: 1 })
  return suggestValues(query.filters, { total, index })
}

describe('suggestions for a search without results', () => {
  it.each([
    ['state:Actve', 'Did you mean state:Active?'],
    ['state:review', 'Did you mean state:"In Review"?'],
    ['dock tag:night', 'Did you mean tag:"night shift"?'],
    ['state:zzzzzzzz', 'Known values: Active, "In Review", open.'],
    ['type:stry', 'Did you mean type:story?'],
  ])('%s: %s', async (q, hint) => {
    expect(await hintsFor(q)).toEqual([expect.stringContaining(hint)])
  })

  it('give no hint for an existing value', async () => {
    expect(await hintsFor('zebra state:active')).toEqual([])
    expect(await hintsFor('-state:Actve zebra')).toEqual([])
  })
})
