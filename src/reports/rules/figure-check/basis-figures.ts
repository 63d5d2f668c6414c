import { MOST_NAMED, pointsOf } from '../briefing-changes'
import { LONGEST_LIST } from '../briefing-lists'
import { MOST_ROWS } from '../briefing-progress'
import { RECENT_DAYS } from '../facts'
import type { Figures } from '../figures'
import { FLOW_WEEKS, LEAST_ITEMS, LEAST_WEEKS } from '../flow/flow'
import { TASK_LEVEL } from '../item'
import { idsText, STALE_DAYS } from '../risks'
import { completionOf, noTotals, plus, type Totals } from '../totals'
import { number, percent } from '../wording'
import { type Figure, figuresInText, type Unit } from './figures-in-text'

/** The figures that a text may say, each by what it is: `number point 26`. A text of the tracker's is none, whatever stands in it. */
export class BasisFigures {
  readonly #known = new Set<string>()

  has({ kind, value, unit }: Figure): boolean {
    return this.#known.has(keyOf(kind, kind === 'number' ? unit : null, value))
  }

  count(value: number, unit: Unit): void {
    // Where a text does not say what it counts, any will do.
    for (const said of [unit, null]) this.#known.add(keyOf('number', said, number(value)))
  }

  share(value: number | null): void {
    if (value !== null) this.#known.add(keyOf('percent', null, Number.parseInt(percent(value), 10).toString()))
  }

  item(id: number): void {
    this.#known.add(keyOf('item', null, String(id)))
  }

  moment(at: string): void {
    this.#known.add(keyOf('day', null, at.slice(0, 10)))
    this.#known.add(keyOf('day', null, at.slice(5, 10)))
    this.#known.add(keyOf('month', null, at.slice(0, 7)))
    this.#known.add(keyOf('time', null, at.slice(11, 16)))
  }

  /** What a sentence of our own says. */
  sentence(text: string): void {
    for (const { kind, value, unit } of figuresInText(text)) {
      this.#known.add(keyOf(kind, kind === 'number' ? unit : null, value))
      if (kind === 'number') this.#known.add(keyOf(kind, null, value))
    }
  }
}

function keyOf(kind: Figure['kind'], unit: Unit | null, value: string): string {
  return `${kind} ${unit ?? 'any'} ${value}`
}

export function basisFigures(figures: Figures): BasisFigures {
  const basis = new BasisFigures()
  for (const days of [STALE_DAYS, RECENT_DAYS]) basis.count(days, 'day')
  addTotals(basis, figures.totals)
  addTotals(basis, figures.outside)
  addTotals(basis, difference(figures.totals, figures.outside))
  for (const group of [figures.byState, figures.byType, figures.byIteration, figures.byAssignee].flat())
    addTotals(basis, group.totals)
  addFeatures(basis, figures)
  addLists(basis, figures)
  addChanges(basis, figures)
  addFlow(basis, figures)
  for (const at of [figures.asOf, figures.fetched?.from, figures.fetched?.to]) if (at) basis.moment(at)
  return basis
}

function addTotals(basis: BasisFigures, totals: Totals): void {
  for (const points of [totals.points, totals.donePoints, totals.points - totals.donePoints])
    basis.count(points, 'point')
  for (const items of [totals.items, totals.doneItems, totals.items - totals.doneItems, totals.unestimated])
    basis.count(items, 'item')
  basis.count(totals.blockers, 'blocker')
  basis.share(completionOf(totals))
}

function difference(a: Totals, b: Totals): Totals {
  return {
    points: a.points - b.points,
    donePoints: a.donePoints - b.donePoints,
    items: a.items - b.items,
    doneItems: a.doneItems - b.doneItems,
    unestimated: a.unestimated - b.unestimated,
    blockers: a.blockers - b.blockers,
  }
}

function addFeatures(basis: BasisFigures, { features }: Figures): void {
  const atRisk = features.filter((feature) => feature.atRisk).length
  const done = features.filter((feature) => feature.stateCategory === 'Completed').length
  for (const n of [features.length, atRisk, features.length - atRisk, done, features.length - done])
    basis.count(n, 'feature')
  for (const feature of features) {
    basis.item(feature.id)
    addTotals(basis, feature)
    basis.share(feature.riskWeight)
    for (const { evidence, itemIds } of feature.risks) {
      basis.sentence(evidence)
      basis.sentence(idsText(itemIds))
    }
  }
  const rest = features.slice(MOST_ROWS)
  basis.count(rest.length, 'feature')
  addTotals(basis, rest.reduce<Totals>(plus, noTotals))
  basis.count(Math.max(0, atRisk - LONGEST_LIST), 'feature')
}

function addLists(basis: BasisFigures, figures: Figures): void {
  const { blockers, recentlyCompleted, staleItems, unestimated } = figures
  basis.count(blockers.length, 'blocker')
  const delivered = recentlyCompleted.filter(({ level }) => level !== TASK_LEVEL).length
  basis.count(recentlyCompleted.length - delivered, 'item')
  // What the text says of the lists that it cuts.
  for (const n of [blockers.length, delivered, staleItems.length, unestimated.length])
    basis.count(Math.max(0, n - LONGEST_LIST), 'item')
  const blocked = new Set(blockers.map(({ id }) => id))
  for (const n of [blocked.size, recentlyCompleted.length, staleItems.length, unestimated.length])
    basis.count(n, 'item')
  for (const { id, itemId, featureId } of blockers)
    for (const named of [id, itemId, featureId]) if (named !== null) basis.item(named)
  for (const { completedAt } of recentlyCompleted) if (completedAt !== null) basis.moment(completedAt)
  for (const fact of [recentlyCompleted, staleItems, unestimated].flat()) {
    basis.item(fact.id)
    if (fact.featureId !== null) basis.item(fact.featureId)
    if (fact.points !== null) basis.count(fact.points, 'point')
    basis.count(fact.daysSinceChange, 'day')
    basis.moment(fact.changedAt)
  }
}

function addChanges(basis: BasisFigures, { changes }: Figures): void {
  if (!changes) return
  basis.moment(changes.since)
  for (const facts of [changes.completed, changes.started, changes.added]) {
    basis.count(facts.length, 'item')
    basis.count(Math.max(0, facts.length - MOST_NAMED), 'item')
    basis.count(pointsOf(facts), 'point')
    for (const fact of facts) {
      basis.item(fact.id)
      if (fact.points !== null) basis.count(fact.points, 'point')
    }
  }
}

function addFlow(basis: BasisFigures, { flow }: Figures): void {
  if (!flow) return
  for (const n of [FLOW_WEEKS, LEAST_WEEKS]) basis.count(n, 'week')
  basis.count(LEAST_ITEMS, 'item')
  for (const week of flow.weeks) {
    basis.moment(`${week.week}T00:00`)
    for (const items of [week.items, week.remainingItems]) basis.count(items, 'item')
    for (const points of [week.points, week.remainingPoints]) basis.count(points, 'point')
  }
  if (flow.throughput) {
    basis.count(flow.throughput.items, 'item')
    basis.count(flow.throughput.points, 'point')
    basis.count(flow.throughput.weeks, 'week')
  }
  if (flow.cycleTime) {
    basis.count(flow.cycleTime.items, 'item')
    for (const days of [flow.cycleTime.p50, flow.cycleTime.p85, flow.cycleTime.p95])
      if (days !== null) basis.count(days, 'day')
    for (const share of [0.5, 0.85, 0.95]) basis.share(share)
    for (const ordinal of ['50', '85', '95']) basis.sentence(ordinal)
  }
  for (const note of flow.notes) basis.sentence(note)
}
