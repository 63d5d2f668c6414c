import fc from 'fast-check'
import type { Entity } from '../../src/search/services/entity'
import { entity } from './sample'

/** Words that test normalization, stemming, joined forms, missing spaces and stop words. */
export const WORDS = [
  'dock',
  'Door',
  'dockDoor',
  'conveyor',
  'belt',
  'yard',
  'the',
  'of',
  'étage',
  '日本語',
  'night-shift',
  '42',
]
const text = fc.array(fc.constantFrom(...WORDS), { maxLength: 40 }).map((words) => words.join(' '))
const anyEntity = fc.record({
  type: fc.constantFrom('devops' as const, 'draft' as const, 'folder' as const),
  title: text,
  description: text,
  criteria: text,
  tags: fc.array(fc.constantFrom('dock', 'night shift', 'Étage'), { maxLength: 2 }),
  state: fc.constantFrom('New', 'Active', null),
  itemType: fc.constantFrom('Bug', 'User Story', null),
  assignedTo: fc.constantFrom(
    null,
    { displayName: 'Dana Ray', uniqueName: 'dana@example.com' },
    {
      displayName: 'Ana',
      uniqueName: null,
    },
  ),
  areaPath: fc.constantFrom('Warehouse\\Docks\\North', 'Warehouse', null),
  reference: fc.constantFrom(null, 'gh:works/harbor#7', 'jira:HAR-1'),
  updatedAt: fc.constantFrom('2026-01-01T00:00:00.000Z', '2026-02-01T00:00:00.000Z', null),
})

/** A word of a single entity that is one edit away from a frequent word. */
const RARE_TYPO = 'conveyer'

/** Random but reproducible entities with IDs from 1000. */
export function anyEntities(count: number): Entity[] {
  return fc
    .sample(anyEntity, { numRuns: count, seed: 42 })
    .map(({ title, ...more }, i) => entity(1000 + i, i === 0 ? `${title} ${RARE_TYPO}` : title, more))
}

const term = fc.oneof(
  fc.constantFrom(...WORDS),
  fc.constantFrom(
    '"dock door"',
    '"the"',
    '-yard',
    '-"the dock"',
    'state:Active',
    '-state:New',
    'no:state',
    'type:bug',
    'type:draft',
    'tag:dock',
    'tag:étage',
    '-tag:dock',
    'no:tag',
    'assignee:dana',
    'no:assignee',
    'area:docks',
    'tracker:gh',
    '-tracker:jira',
    'tracker:default',
    '-tracker:default',
    'no:tracker',
    'tracker:jirra',
    'in:title',
    'convyeor',
    RARE_TYPO,
    'do',
    'nightshift',
    '1042',
    '#1003',
  ),
)

/** Queries of a few terms. */
export const query = fc
  .tuple(fc.array(term, { minLength: 1, maxLength: 4 }), fc.constantFrom('', ' '))
  .map(([terms, end]) => terms.join(' ') + end)
