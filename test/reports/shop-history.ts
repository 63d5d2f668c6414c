import type { WorkSpan } from '../../src/reports/rules/work-span'
import type { Figures } from '../../src/reports/schemas'
import { buildFigures } from './at-once'
import { item, shop } from './sample-workspace'

const day = (date: string) => `${date}T10:00:00.000Z`

/** Stories of another feature that were completed in October and November, with when work on them began. */
const completed: readonly [id: number, startedAt: string, completedAt: string, points: number][] = [
  [211, '2026-10-12', '2026-10-14', 3],
  [212, '2026-10-13', '2026-10-16', 5],
  [213, '2026-10-19', '2026-10-23', 5],
  [214, '2026-11-02', '2026-11-10', 8],
  [215, '2026-11-09', '2026-11-17', 2],
]

/** The figures of the shop with one more feature whose history is known. */
export function buildShopHistory(): Figures {
  const done = { state: 'Closed', stateCategory: 'Completed' } as const
  const stories = completed.map(([id, , completedAt, storyPoints]) =>
    item(id, { ...done, parentId: 201, storyPoints, title: `Step ${id}`, changedAt: day(completedAt) }),
  )
  const feature = item(201, {
    type: 'Feature',
    level: 2,
    title: 'Pick-up points',
    state: 'Active',
    stateCategory: 'InProgress',
  })
  const spans = new Map<number, WorkSpan>(
    completed.map(([id, startedAt, completedAt]) => [
      id,
      { startedAt: day(startedAt), completedAt: day(completedAt), createdAt: null },
    ]),
  )
  const iterationEnds = new Map([['Shop\\Sprint 7', '2026-11-13T00:00:00.000Z']])
  return buildFigures([...shop, feature, ...stories], { spans, designated: [201], iterationEnds })
}
