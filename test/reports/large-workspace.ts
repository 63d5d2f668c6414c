import type { ReportItem } from '../../src/reports/rules/report-item'
import { item } from './sample-workspace'

const categories = [
  null,
  'Proposed',
  'InProgress',
  'InProgress',
  'Resolved',
  'Completed',
  'Completed',
  'Removed',
] as const
const kinds = [
  { level: 3, type: 'Epic' },
  { level: 2, type: 'Feature' },
  { level: 1, type: 'User Story' },
  { level: 0, type: 'Task' },
] as const

/**
 * A workspace of `size` items by chance: half, whole and no points, all states, blockers, trees without a parent. `bushy` is as people
 * make it, four levels; `deep` hangs stories below stories, hundreds of levels down.
 */
export function generateWorkspace(
  size: number,
  { seed, shape }: { seed: number; shape: 'bushy' | 'deep' },
): ReportItem[] {
  const chance = mulberry32(seed)
  const below = (n: number) => Math.floor(chance() * n)
  const levels: number[][] = [[], [], [], []]
  const items: ReportItem[] = []
  for (let id = 1; id <= size; id++) {
    const kind = id <= 3 ? 0 : [1, 2, 2, 2, 3, 3, 3, 3, 3, 3][below(10)]!
    const { level, type } = id <= 3 ? kinds[0] : kinds[kind]!
    const above = levels[kind - 1] ?? []
    const isDeep = shape === 'deep' && kind === 2 && levels[2]!.length > 0 && below(10) > 0
    const parentId = isDeep
      ? levels[2]!.at(-1 - below(Math.min(3, levels[2]!.length)))!
      : above.length === 0 || below(50) === 0
        ? null
        : above[below(above.length)]!
    levels[kind]!.push(id)
    items.push(
      item(id, {
        level,
        type,
        parentId,
        title: `Work that item ${id} is about, in the words of a backlog`,
        stateCategory: categories[below(categories.length)]!,
        storyPoints: [null, null, 0, 0.5, 1, 2, 3, 5, 8][below(9)]!,
        blocked: below(40) === 0 ? [{ by: 'tag', itemId: null, evidence: 'tagged Blocked' }] : [],
        iterationPath: `Shop\\Sprint ${below(30)}`,
        assignedTo:
          below(4) === 0 ? null : { displayName: `Person ${below(60)}`, uniqueName: `person-${below(60)}@example.com` },
        changedAt: new Date(Date.UTC(2026, 10, 18) - below(120) * 86_400_000).toISOString(),
      }),
    )
  }
  return items
}

/** Numbers from 0 to 1 that a seed determines. */
function mulberry32(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}
