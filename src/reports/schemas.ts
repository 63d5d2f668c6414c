import * as z from 'zod'
import { Instant, Person, StateCategory } from '../items'

const Totals = z.object({
  points: z.number(),
  donePoints: z.number(),
  items: z.int(),
  doneItems: z.int(),
  unestimated: z.int().describe('Open backlog items without an estimate of their own'),
  blockers: z.int().describe('Signals that an item is held up'),
})

const Completion = z
  .number()
  .nullable()
  .describe('0 to 1: the done share of the points, of the items where there are no points; null where there is nothing')

const ReportBlocker = z.object({
  id: z.int().describe('The item that is held up'),
  signal: z.enum(['tag', 'field', 'predecessor']),
  itemId: z.int().nullable().describe('The open predecessor that it waits for; null for a tag or a field'),
  evidence: z.string(),
})

const itemFields = {
  id: z.int(),
  type: z.string(),
  title: z.string(),
  state: z.string(),
}

export const HierarchyNode = z.object({
  id: z.int(),
  type: z.string(),
  title: z.string(),
  state: z.string(),
  stateCategory: StateCategory.nullable(),
  assignedTo: Person.nullable(),
  parentId: z.int().nullable().describe("The item's parent in the tracker, in this tree or not"),
  points: z.number().nullable().describe('Its own estimate, whether or not it counts in the totals'),
  totals: Totals.describe('Of the item and all below it'),
  completion: Completion,
  blockers: z.array(ReportBlocker).describe('What holds up this very item'),
  get children() {
    return z.array(HierarchyNode)
  },
})

const Group = z.object({
  name: z.string().nullable().describe('Null: the items that have no value there'),
  totals: Totals,
  completion: Completion,
})

const FeatureFigures = z.object({
  ...itemFields,
  stateCategory: StateCategory.nullable(),
  assignedTo: Person.nullable(),
  completion: Completion,
  ...Totals.shape,
  priority: z.int().nullable().describe('Its place among the designated features, from 1; null when not designated'),
  atRisk: z.boolean(),
  riskWeight: z.number().describe('0 to 1: the share of the open points that is in trouble, as rules.atRisk says'),
  risks: z.array(
    z.object({
      signal: z.enum(['blocked', 'waiting', 'late', 'stale', 'unestimated', 'closed-early']),
      evidence: z.string(),
      itemIds: z.array(z.int()).describe('The items that show it'),
    }),
  ),
})

const ItemFact = z.object({
  ...itemFields,
  level: z
    .int()
    .nullable()
    .describe('Backlog level: 0 task, 1 requirement, 2 feature, 3 epic; null when on no backlog'),
  assignedTo: Person.nullable(),
  points: z.number().nullable(),
  iterationPath: z.string(),
  changedAt: Instant,
  daysSinceChange: z.int().describe('Whole days from changedAt to asOf'),
  featureId: z.int().nullable().describe('The feature that it belongs to'),
})

const Flow = z.object({
  weeks: z.array(
    z.object({
      week: z.string().describe('Its Monday, YYYY-MM-DD; weeks are of UTC'),
      isWhole: z.boolean().describe('False for the week of asOf, which has not ended'),
      items: z.int().describe('Completed in it'),
      points: z.number().describe('Of the completed items'),
      remainingItems: z.int().describe("Of today's items, those that were open at its end"),
      remainingPoints: z.number(),
    }),
  ),
  throughput: z
    .object({ items: z.number(), points: z.number(), weeks: z.int() })
    .nullable()
    .describe('A week, as the mean of so many whole weeks; null where the history is too short'),
  cycleTime: z
    .object({ items: z.int(), p50: z.number(), p85: z.number().nullable(), p95: z.number().nullable() })
    .nullable()
    .describe(
      'Days that 50, 85 and 95 in a hundred items took at most; null where too few items tell. Of fewer than 10 items only the median, p50, is given',
    ),
  notes: z.array(z.string()).describe('What there is too little history for, and what was left out'),
})

export const Figures = z.object({
  asOf: Instant.nullable().describe('The newest moment that the workspace knows of, from which days are counted'),
  fetched: z
    .object({ from: Instant, to: Instant })
    .nullable()
    .describe('When the first and the last of the reported items were read'),
  sources: z
    .object({ tracker: z.int(), files: z.int() })
    .describe('How many of the reported items were read from the tracker, and from imported files'),
  totals: Totals,
  completion: Completion,
  byState: z.array(Group),
  byType: z.array(Group),
  byIteration: z.array(Group),
  byAssignee: z.array(Group),
  features: z.array(FeatureFigures),
  outside: Totals.describe('What belongs to no feature'),
  blockers: z.array(ReportBlocker.extend({ ...itemFields, featureId: z.int().nullable() })),
  unestimated: z.array(ItemFact),
  recentlyCompleted: z.array(
    ItemFact.extend({
      completedAt: Instant.nullable().describe(
        'Null where neither the tracker nor the snapshots tell: it was at changedAt or before',
      ),
    }),
  ),
  staleItems: z.array(ItemFact),
  changes: z
    .object({
      since: Instant,
      completed: z.array(ItemFact),
      started: z.array(ItemFact),
      added: z.array(ItemFact),
    })
    .nullable()
    .describe('Backlog items that were completed, started or created after `since`; null where the workspace is empty'),
  flow: Flow.nullable().describe('How the work moved; null where the workspace is empty'),
  rules: z
    .object({
      features: z.string(),
      totals: z.string(),
      atRisk: z.string(),
      recentlyCompleted: z.string(),
      staleItems: z.string(),
      changes: z.string(),
      flow: z.string(),
    })
    .describe('How the figures are made, in words'),
})

export const Priorities = z.object({
  designated: z.array(z.int()).describe('Features that reports put first, in this order'),
  available: z
    .array(z.object({ id: z.int(), title: z.string(), state: z.string(), completion: Completion }))
    .describe('The features of the workspace, the designated ones first'),
})
