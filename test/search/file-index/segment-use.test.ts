import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { FileIndex } from '../../../src/search/file-index/file-index'
import { parseQuery } from '../../../src/search/rules/parse-query'
import { SearchWork } from '../../../src/search/rules/search-work'
import { temporaryFolder } from '../../temporary-folder'
import { entity } from '../sample'
import { part, segmentOf } from './segments'

describe('a search that waits between its steps', () => {
  it('reads to its end from a segment that is closed meanwhile', async () => {
    const segment = segmentOf(temporaryFolder(), 'segment', [entity(1, 'Dock door'), entity(2, 'Dock gate')])
    const index = new FileIndex([part(segment)])
    let wasClosed = false
    const work = new SearchWork(async () => {
      if (!wasClosed) segment.close()
      wasClosed = true
      await setImmediate()
    })
    const { hits } = await index.search(parseQuery('"dock door"', null), { limit: 10, work })
    expect(hits.map(({ id }) => id)).toEqual([1])
    expect(() => segment.record(1)).not.toThrow() // from its cache
    await expect(index.search(parseQuery('gate', null), { limit: 10 })).rejects.toThrow('EBADF')
  })

  it('does not disturb searches that run meanwhile', async () => {
    const entities = Array.from({ length: 50 }, (_, i) => entity(i + 1, i % 2 === 0 ? 'Dock door' : 'Yard gate'))
    const index = new FileIndex([part(segmentOf(temporaryFolder(), 'segment', entities))])
    const run = async (q: string) => {
      const work = new SearchWork(() => setImmediate())
      return (await index.search(parseQuery(q, null), { limit: 50, work })).hits.map(({ id }) => id)
    }
    const queries = ['dock', '"yard gate"', 'door -gate', 'gate door ', 'tag:none', '-dock']
    const alone: number[][] = []
    for (const q of queries) alone.push(await run(q))
    expect(await Promise.all(queries.map(run))).toEqual(alone)
  })
})
