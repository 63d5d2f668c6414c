import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fingerprintRelations, listLinkedIds, listSortedIds } from '../../../src/tracker/azure-devops/relations'
import { link } from './fixtures'

const base = 'https://tracker.example/works'
const attachment = (query: string) => ({ rel: 'AttachedFile', url: `${base}/_apis/wit/attachments/77-a${query}` })

describe('links between items', () => {
  const relations = [
    link('Hierarchy-Reverse', 5),
    link('Hierarchy-Forward', 21),
    link('Hierarchy-Forward', 20),
    link('Dependency-Reverse', 9),
    link('Dependency-Reverse', 3),
    link('Dependency-Forward', 40),
    link('Related', 50),
    { rel: 'Hyperlink', url: 'https://wiki.example/workItems/99' },
  ]

  it('contain the parent, the children and the predecessors', () => {
    expect(listLinkedIds(relations, 'parent')).toEqual([5])
    expect(listLinkedIds(relations, 'child')).toEqual([21, 20])
    expect(listSortedIds(relations, 'predecessor')).toEqual([3, 9])
  })

  it('are parsed in any case, with or without a project, each once', () => {
    const url = `${base}/8f0c/_apis/wit/workitems/3`
    const twice = [link('Dependency-Reverse', 3), { rel: 'System.LinkTypes.Dependency-reverse', url }]
    expect(listSortedIds(twice, 'predecessor')).toEqual([3])
    expect(listLinkedIds([], 'parent')).toEqual([])
  })
})

describe('the fingerprint of the links', () => {
  const relations = [
    link('Hierarchy-Reverse', 5),
    link('Dependency-Reverse', 9),
    { rel: 'Hyperlink', url: 'https://wiki.example/page?id=1' },
    attachment(''),
  ]
  const fingerprint = fingerprintRelations(relations, base)

  it('is short and independent of the order', () => {
    expect(fingerprint).toMatch(/^[0-9a-f]{16}$/)
    fc.assert(
      fc.property(fc.shuffledSubarray(relations, { minLength: 4 }), (shuffled) => {
        expect(fingerprintRelations(shuffled, base)).toBe(fingerprint)
      }),
    )
  })

  it('changes with every link that is added, removed or redirected', () => {
    const others = [
      relations.slice(1),
      [...relations, link('Related', 6)],
      [link('Hierarchy-Reverse', 6), ...relations.slice(1)],
      [link('Hierarchy-Forward', 5), ...relations.slice(1)],
      relations.with(2, { rel: 'Hyperlink', url: 'https://wiki.example/page?id=2' }),
    ].map((list) => fingerprintRelations(list, base))
    expect(new Set([fingerprint, ...others]).size).toBe(6)
  })

  it('does not change with comments, dates, locks or the file name in the address of an attachment', () => {
    const attributes = { isLocked: true, comment: 'new', revisedDate: '9999-01-01T00:00:00Z' }
    const other = relations.map((relation) => ({ ...relation, attributes }))
    expect(fingerprintRelations(other.with(3, attachment('?fileName=a.txt') as never), base)).toBe(fingerprint)
  })

  it('does not change with the address of the tracker', () => {
    const elsewhere = 'http://127.0.0.1:4711/works'
    const moved = relations.map((relation) => ({ ...relation, url: relation.url.replace(base, elsewhere) }))
    expect(fingerprintRelations(moved, elsewhere)).toBe(fingerprint)
  })
})
