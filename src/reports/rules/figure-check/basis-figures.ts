import type { BriefingFigures, Figures, Totals } from '../../schemas'
import { MAX_LIST_LENGTH, MAX_NAMED_ITEMS, MAX_TABLE_ROWS, sumPoints } from '../briefing-sections'
import { FLOW_WEEKS, MIN_ITEMS, MIN_WEEKS } from '../flow'
import { RECENT_DAYS } from '../item-facts'
import { TASK_LEVEL } from '../report-item'
import { formatNames, STALE_DAYS } from '../risks'
import { computeCompletion, NO_TOTALS, sumTotals } from '../totals'
import { formatNumber, formatPercent } from '../wording'
import { blankNames, collectNames } from './item-names'
import { type Figure, parseFigures, type Unit } from './parse-figures'

/** The figures that a text may contain, by kind, unit and value. Numbers inside titles from the tracker do not count. */
export class BasisFigures {
  readonly #known = new Set<string>()

  has({ kind, value, unit }: Figure): boolean {
    return this.#known.has(createKey(kind, kind === 'number' ? unit : null, value))
  }

  addCount(value: number, unit: Unit): void {
    // A number without a unit in the text matches any unit.
    for (const each of [unit, null]) this.#known.add(createKey('number', each, formatNumber(value)))
  }

  addShare(value: number | null): void {
    if (value !== null)
      this.#known.add(createKey('percent', null, Number.parseInt(formatPercent(value), 10).toString()))
  }

  addItem(id: number): void {
    this.#known.add(createKey('item', null, String(id)))
  }

  addInstant(at: string): void {
    this.#known.add(createKey('day', null, at.slice(0, 10)))
    this.#known.add(createKey('day', null, at.slice(5, 10)))
    this.#known.add(createKey('month', null, at.slice(0, 7)))
    this.#known.add(createKey('time', null, at.slice(11, 16)))
  }

  /** Adds every figure of a sentence that the program has generated. */
  addSentence(text: string): void {
    for (const { kind, value, unit } of parseFigures(text)) {
      this.#known.add(createKey(kind, kind === 'number' ? unit : null, value))
      if (kind === 'number') this.#known.add(createKey(kind, null, value))
    }
  }
}

function createKey(kind: Figure['kind'], unit: Unit | null, value: string): string {
  return `${kind} ${unit ?? 'any'} ${value}`
}

export function collectBasisFigures(figures: BriefingFigures): BasisFigures {
  const basis = new BasisFigures()
  for (const days of [STALE_DAYS, RECENT_DAYS]) basis.addCount(days, 'day')
  addTotals(basis, figures.totals)
  addTotals(basis, figures.outside)
  addTotals(basis, figures.features.reduce<Totals>(sumTotals, NO_TOTALS))
  for (const group of [
    figures.byState,
    figures.byType,
    figures.byIteration,
    figures.byAssignee,
    figures.byTracker,
  ].flat())
    addTotals(basis, group.totals)
  addFeatures(basis, figures)
  addLists(basis, figures)
  addChanges(basis, figures)
  addFlow(basis, figures)
  if (figures.forecast) basis.addSentence(figures.forecast)
  for (const at of [figures.asOf, figures.fetched?.from, figures.fetched?.to]) if (at) basis.addInstant(at)
  return basis
}

function addTotals(basis: BasisFigures, totals: Totals): void {
  for (const points of [totals.points, totals.donePoints, totals.points - totals.donePoints])
    basis.addCount(points, 'point')
  for (const items of [totals.items, totals.doneItems, totals.items - totals.doneItems, totals.unestimated])
    basis.addCount(items, 'item')
  basis.addCount(totals.blockers, 'blocker')
  basis.addShare(computeCompletion(totals))
}

function addFeatures(basis: BasisFigures, figures: Figures): void {
  const { features } = figures
  const names = collectNames(figures)
  const atRisk = features.filter((feature) => feature.atRisk).length
  const done = features.filter((feature) => feature.stateCategory === 'Completed').length
  for (const n of [features.length, atRisk, features.length - atRisk, done, features.length - done])
    basis.addCount(n, 'feature')
  for (const feature of features) {
    basis.addItem(feature.id)
    addTotals(basis, feature)
    basis.addShare(feature.riskWeight)
    for (const { evidence, itemIds, references } of feature.risks) {
      for (const sentence of [evidence, formatNames(references)]) basis.addSentence(blankNames(sentence, names))
      for (const id of itemIds) basis.addItem(id)
    }
  }
  const rest = features.slice(MAX_TABLE_ROWS)
  basis.addCount(rest.length, 'feature')
  addTotals(basis, rest.reduce<Totals>(sumTotals, NO_TOTALS))
  basis.addCount(Math.max(0, atRisk - MAX_LIST_LENGTH), 'feature')
}

function addLists(basis: BasisFigures, figures: Figures): void {
  const { blockers, recentlyCompleted, staleItems, unestimated } = figures
  basis.addCount(blockers.length, 'blocker')
  const delivered = recentlyCompleted.filter(({ level }) => level !== TASK_LEVEL).length
  basis.addCount(recentlyCompleted.length - delivered, 'item')
  // The briefing says how many entries of a long list it leaves out.
  for (const n of [blockers.length, delivered, staleItems.length, unestimated.length])
    basis.addCount(Math.max(0, n - MAX_LIST_LENGTH), 'item')
  const blocked = new Set(blockers.map(({ id }) => id))
  for (const n of [blocked.size, recentlyCompleted.length, staleItems.length, unestimated.length])
    basis.addCount(n, 'item')
  for (const { id, itemId, featureId } of blockers)
    for (const named of [id, itemId, featureId]) if (named !== null) basis.addItem(named)
  for (const { completedAt } of recentlyCompleted) if (completedAt !== null) basis.addInstant(completedAt)
  for (const fact of [recentlyCompleted, staleItems, unestimated].flat()) {
    basis.addItem(fact.id)
    if (fact.featureId !== null) basis.addItem(fact.featureId)
    if (fact.points !== null) basis.addCount(fact.points, 'point')
    basis.addCount(fact.daysSinceChange, 'day')
    basis.addInstant(fact.changedAt)
  }
}

function addChanges(basis: BasisFigures, { changes }: Figures): void {
  if (!changes) return
  basis.addInstant(changes.since)
  for (const facts of [changes.completed, changes.started, changes.added]) {
    basis.addCount(facts.length, 'item')
    basis.addCount(Math.max(0, facts.length - MAX_NAMED_ITEMS), 'item')
    basis.addCount(sumPoints(facts), 'point')
    for (const fact of facts) {
      basis.addItem(fact.id)
      if (fact.points !== null) basis.addCount(fact.points, 'point')
    }
  }
}

function addFlow(basis: BasisFigures, { flow }: Figures): void {
  if (!flow) return
  for (const n of [FLOW_WEEKS, MIN_WEEKS]) basis.addCount(n, 'week')
  basis.addCount(MIN_ITEMS, 'item')
  for (const week of flow.weeks) {
    basis.addInstant(`${week.week}T00:00`)
    for (const items of [week.items, week.remainingItems]) basis.addCount(items, 'item')
    for (const points of [week.points, week.remainingPoints]) basis.addCount(points, 'point')
  }
  if (flow.throughput) {
    basis.addCount(flow.throughput.items, 'item')
    basis.addCount(flow.throughput.points, 'point')
    basis.addCount(flow.throughput.weeks, 'week')
  }
  if (flow.cycleTime) {
    basis.addCount(flow.cycleTime.items, 'item')
    for (const days of [flow.cycleTime.p50, flow.cycleTime.p85, flow.cycleTime.p95])
      if (days !== null) basis.addCount(days, 'day')
    for (const share of [0.5, 0.85, 0.95]) basis.addShare(share)
    for (const ordinal of ['50', '85', '95']) basis.addSentence(ordinal)
  }
  for (const note of flow.notes) basis.addSentence(note)
}
