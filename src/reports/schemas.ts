import * as z from 'zod'
import { Instant, Person, StateCategory } from '../workspace'

const Totals = z.object({
  points: z.number(),
  donePoints: z.number(),
  items: z.int(),
  doneItems: z.int(),
  unestimated: z.int().describe('Open items at requirement level without an estimate, of their own or below them'),
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
  atRisk: z.boolean(),
  risks: z.array(
    z.object({
      signal: z.enum(['blocked', 'stale', 'unestimated', 'closed-early']),
      evidence: z.string(),
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

export const Figures = z.object({
  asOf: Instant.nullable().describe('The newest moment that the workspace knows of, from which days are counted'),
  fetched: z
    .object({ from: Instant, to: Instant })
    .nullable()
    .describe('When the first and the last of the reported items were read from the tracker'),
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
  recentlyCompleted: z.array(ItemFact),
  staleItems: z.array(ItemFact),
  rules: z
    .object({
      features: z.string(),
      totals: z.string(),
      atRisk: z.string(),
      recentlyCompleted: z.string(),
      staleItems: z.string(),
    })
    .describe('How the figures are made, in words'),
})
