import * as z from 'zod'
import { Instant, itemSource, Person, StateCategory, TrackerName } from '../items'

/** An input of reports. */
export const OnlyTracker = TrackerName.optional().describe(
  'Only items of this tracker of the settings; the default one is "default" (default: all trackers)',
)

const Totals = z.object({
  points: z.number(),
  donePoints: z.number(),
  items: z.int(),
  doneItems: z.int(),
  unestimated: z.int().describe('Open backlog items without an estimate of their own'),
  blockers: z.int().describe('Signals that an item is held up'),
})
/** Additive: the totals of a whole are the sum over its items, each counted once. An item that is held up twice counts two blockers. */
export type Totals = z.infer<typeof Totals>

const Completion = z
  .number()
  .nullable()
  .describe(
    '0 to 1: the completed share of the points, or of the items if there are no points; null if there are no items',
  )

const ReportBlocker = z.object({
  id: z.int().describe('The item that is held up'),
  signal: z.enum(['tag', 'field', 'predecessor']),
  itemId: z.int().nullable().describe('The open predecessor that it waits for; null for a tag or a field'),
  evidence: z.string(),
})
export type Blocker = z.infer<typeof ReportBlocker>

const itemFields = {
  id: z.int(),
  ...itemSource,
  type: z.string(),
  title: z.string(),
  state: z.string(),
}

export const HierarchyNode = z.object({
  id: z.int(),
  tracker: itemSource.tracker,
  reference: itemSource.reference,
  type: z.string(),
  title: z.string(),
  state: z.string(),
  stateCategory: StateCategory.nullable(),
  assignedTo: Person.nullable(),
  parentId: z.int().nullable().describe("The item's parent in the tracker, in this tree or not"),
  points: z.number().nullable().describe('Its own estimate, whether or not it counts in the totals'),
  priority: z.number().nullable(),
  areaPath: z.string(),
  iterationPath: z.string(),
  tags: z.array(z.string()),
  changedAt: Instant,
  totals: Totals.describe('Of the item and its descendants'),
  completion: Completion,
  blockers: z.array(ReportBlocker).describe('What blocks this item itself'),
  get children() {
    return z.array(HierarchyNode)
  },
})
export type HierarchyNode = z.infer<typeof HierarchyNode>

const Group = z.object({
  name: z.string().nullable().describe('Null: the items without a value'),
  totals: Totals,
  completion: Completion,
})
export type Group = z.infer<typeof Group>

const Risk = z.object({
  signal: z.enum(['blocked', 'waiting', 'late', 'stale', 'unestimated', 'closed-early']),
  evidence: z.string(),
  itemIds: z.array(z.int()).describe('The items concerned'),
  references: z.array(z.string()).describe('The references of these items, such as #101 or ABC-7'),
})
export type Risk = z.infer<typeof Risk>

const FeatureFigures = z.object({
  ...itemFields,
  stateCategory: StateCategory.nullable(),
  assignedTo: Person.nullable(),
  completion: Completion,
  ...Totals.shape,
  priority: z.int().nullable().describe('Its position among the designated features, from 1; null if not designated'),
  atRisk: z.boolean(),
  riskWeight: z.number().describe('0 to 1: the share of the open points that is in trouble, as rules.atRisk explains'),
  risks: z.array(Risk),
})
export type FeatureFigures = z.infer<typeof FeatureFigures>

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
export type ItemFact = z.infer<typeof ItemFact>

const Flow = z.object({
  weeks: z.array(
    z.object({
      week: z.string().describe('Its Monday, YYYY-MM-DD; weeks are of UTC'),
      isWhole: z.boolean().describe('False for the week of asOf, which has not ended'),
      items: z.int().describe('Completed in this week'),
      points: z.number().describe('Of the completed items'),
      remainingItems: z.int().describe("Today's items that were open at the end of the week"),
      remainingPoints: z.number(),
    }),
  ),
  throughput: z
    .object({ items: z.number(), points: z.number(), weeks: z.int() })
    .nullable()
    .describe('Per week, as the mean of this number of whole weeks; null if the history is too short'),
  cycleTime: z
    .object({ items: z.int(), p50: z.number(), p85: z.number().nullable(), p95: z.number().nullable() })
    .nullable()
    .describe(
      'Days that 50%, 85% and 95% of the items took at most; null if there are too few items. With fewer than 10 items only the median, p50, is given',
    ),
  completed: z
    .array(
      z.object({
        id: z.int(),
        reference: itemSource.reference,
        title: z.string(),
        completedAt: Instant,
        days: z.number().nullable().describe('Its cycle time, in days; null if its start is not known'),
      }),
    )
    .describe('The items that the figures are made from, the first completed one first'),
  notes: z.array(z.string()).describe('Which figures lack history, and what was left out'),
})
export type Flow = z.infer<typeof Flow>

export const Figures = z.object({
  asOf: Instant.nullable().describe(
    'The newest time in the workspace, from which days are counted back; a time more than a day in the future does not count',
  ),
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
  byTracker: z.array(Group).describe('By the name of the tracker; one group if all items are from one tracker'),
  features: z.array(FeatureFigures),
  outside: Totals.describe('Items that belong to no feature'),
  blockers: z.array(
    ReportBlocker.extend({
      ...itemFields,
      featureId: z.int().nullable(),
      daysSinceChange: z
        .int()
        .describe('Whole days from the last change of the item to asOf: it has been held up at least so long'),
    }),
  ),
  unestimated: z.array(ItemFact),
  recentlyCompleted: z.array(
    ItemFact.extend({
      completedAt: Instant.nullable().describe(
        'Null if neither the tracker nor the snapshots say: it was at changedAt or before',
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
    .describe('Backlog items that were completed, started or created after `since`; null if the workspace is empty'),
  flow: Flow.nullable().describe('Throughput and cycle time; null if the workspace is empty'),
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
    .describe('How the figures are made'),
})

export type Figures = z.infer<typeof Figures>

export const BriefingBasis = Figures.extend({
  forecast: z
    .string()
    .nullable()
    .describe('When the open work is finished, as reports.forecast says; null if it has no dates'),
})
/** What a briefing is written from. */
export type BriefingFigures = Figures & Partial<z.infer<typeof BriefingBasis>>
export type Changes = NonNullable<Figures['changes']>
export type CompletedFact = Figures['recentlyCompleted'][number]
export type BlockerFact = Figures['blockers'][number]

export const Priorities = z.object({
  designated: z.array(z.int()).describe('Features that come first in reports, in this order'),
  available: z
    .array(z.object({ id: z.int(), ...itemSource, title: z.string(), state: z.string(), completion: Completion }))
    .describe('The features of the workspace, the designated ones first'),
  gone: z
    .array(z.object({ id: z.int(), reference: itemSource.reference }))
    .describe('Designated items that are no longer features of the workspace'),
})
export type Priorities = z.infer<typeof Priorities>
export type AvailableFeature = z.infer<typeof Priorities>['available'][number]
