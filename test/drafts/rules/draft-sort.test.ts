import { describe, expect, it } from 'vitest'
import { type DraftSort, sortDrafts } from '../../../src/drafts/rules/draft-sort'
import type { Draft } from '../../../src/drafts/schemas'

const draft = (id: number, title: string, storyPoints: number | null, day: string) =>
  ({ id, title, storyPoints, createdAt: day, updatedAt: day }) as Draft

const drafts = [
  draft(1, 'beta', 5, '2026-01-01'),
  draft(2, 'Alpha', null, '2026-01-03'),
  draft(3, 'gamma 10', 8, '2026-01-02'),
  draft(4, 'gamma 9', 8, '2026-01-02'),
]

describe('the order of drafts', () => {
  it.each<[DraftSort, number[]]>([
    ['updated', [2, 4, 3, 1]],
    ['-updated', [1, 4, 3, 2]],
    ['title', [2, 1, 4, 3]],
    ['-title', [3, 4, 1, 2]],
    ['points', [4, 3, 1, 2]],
    ['-points', [2, 1, 4, 3]],
  ])('%s', (sort, ids) => {
    expect(sortDrafts(drafts, sort).map(({ id }) => id)).toEqual(ids)
  })
})
