import { getCompletionTime } from '../../../src/reports/rules/item-facts'
import { type Cell, onOneLine, renderCsv } from '../csv'
import type { Summary } from './summary-texts'

const COLUMNS = [
  'section',
  'id',
  'name',
  'type',
  'state',
  'stateCategory',
  'assignedTo',
  'iterationPath',
  'featureId',
  'priority',
  'points',
  'donePoints',
  'items',
  'doneItems',
  'unestimated',
  'blockers',
  'completion',
  'remainingPoints',
  'remainingItems',
  'days',
  'date',
  'atRisk',
  'riskWeight',
  'evidence',
  'tracker',
  'reference',
] as const

type Row = { section: string } & Partial<Record<(typeof COLUMNS)[number], Cell>>

/** The summary as one table with a line for each figure or item. Sections have the names of the JSON fields. */
export function renderSummaryCsv(answer: Summary): string {
  const rows: Row[] = [
    { section: 'totals', ...answer.totals, completion: answer.completion, date: answer.asOf },
    { section: 'outside', ...answer.outside },
    ...featureRows(answer),
    ...blockerRows(answer),
    ...flowRows(answer),
    ...itemRows(answer),
    ...groupRows(answer),
  ]
  const lines = rows.map((row) => COLUMNS.map((name) => onOneLine(row[name] ?? null)))
  return renderCsv([[...COLUMNS], ...lines])
}

function featureRows({ features }: Summary): Row[] {
  return features.map(({ title, assignedTo, atRisk, risks, ...figures }) => ({
    ...figures,
    section: 'features',
    name: title,
    assignedTo: assignedTo?.displayName ?? null,
    atRisk: atRisk ? 'yes' : 'no',
    evidence: risks.map(({ evidence }) => evidence).join('; ') || null,
  }))
}

function blockerRows({ blockers }: Summary): Row[] {
  return blockers.map(({ id, tracker, reference, title, type, state, featureId, evidence }) => ({
    section: 'blockers',
    id,
    tracker,
    reference,
    name: title,
    type,
    state,
    featureId,
    evidence,
  }))
}

function flowRows({ flow }: Summary): Row[] {
  if (!flow) return []
  const { weeks, throughput, cycleTime, notes } = flow
  return [
    ...weeks.map(({ week, isWhole, items, points, remainingItems, remainingPoints }) => ({
      section: 'flow.weeks',
      name: isWhole ? 'whole' : 'so far',
      doneItems: items,
      donePoints: points,
      remainingItems,
      remainingPoints,
      date: week,
    })),
    ...(throughput
      ? [
          {
            section: 'flow.throughput',
            name: `a week, mean of ${throughput.weeks}`,
            doneItems: throughput.items,
            donePoints: throughput.points,
          },
        ]
      : []),
    ...(cycleTime
      ? (['p50', 'p85', 'p95'] as const)
          .filter((name) => cycleTime[name] !== null)
          .map((name) => ({
            section: 'flow.cycleTime',
            name,
            doneItems: cycleTime.items,
            days: cycleTime[name],
          }))
      : []),
    ...notes.map((note) => ({ section: 'flow.notes', evidence: note })),
  ]
}

function itemRows({ recentlyCompleted, staleItems, unestimated }: Summary): Row[] {
  return [
    ...recentlyCompleted.map((item) => ({ ...itemRow('recentlyCompleted', item), date: getCompletionTime(item) })),
    ...staleItems.map((item) => ({
      ...itemRow('staleItems', item),
      days: item.daysSinceChange,
      date: item.changedAt,
    })),
    ...unestimated.map((item) => itemRow('unestimated', item)),
  ]
}

function itemRow(section: string, item: Summary['staleItems'][number]): Row {
  return {
    section,
    id: item.id,
    tracker: item.tracker,
    reference: item.reference,
    name: item.title,
    type: item.type,
    state: item.state,
    assignedTo: item.assignedTo?.displayName ?? null,
    iterationPath: item.iterationPath,
    featureId: item.featureId,
    points: item.points,
  }
}

function groupRows(answer: Summary): Row[] {
  return (['byState', 'byType', 'byIteration', 'byAssignee', 'byTracker'] as const).flatMap((section) =>
    answer[section].map(({ name, totals, completion }) => ({ section, name, ...totals, completion })),
  )
}
