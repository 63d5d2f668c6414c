import { expect, it } from 'vitest'
import { termKey } from '../../../src/search/file-index/segment-format'
import { temporaryFolder } from '../../temporary-folder'
import { entity } from '../sample'
import { segmentOf } from './segments'

it('a segment caches long lists, but not the many short ones of a prefix search', () => {
  const entities = Array.from({ length: 100 }, (_, i) => entity(i + 1, `Dock ref${i}`))
  const segment = segmentOf(temporaryFolder(), 'one', entities)
  const read = (term: string) => segment.postings(termKey(term))!
  expect(read('dock').documents).toHaveLength(100)
  expect(read('dock')).toBe(read('dock'))
  expect(read('ref7').documents).toHaveLength(1)
  expect(read('ref7')).toEqual(read('ref7'))
  expect(read('ref7')).not.toBe(read('ref7'))
  segment.close()
})
