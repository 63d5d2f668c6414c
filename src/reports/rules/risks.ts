import type { Risk } from '../schemas'
import { subtractDays, UNKNOWN_INSTANT } from './dates'
import type { ItemForest, ReportTree } from './item-forest'
import {
  isDone,
  isInProgress,
  isOpen,
  isRemoved,
  listBlockers,
  REQUIREMENT_LEVEL,
  type ReportItem,
} from './report-item'
import { hasEstimate } from './totals'
import { formatCount, inflect, joinList } from './wording'

/** Work in progress counts as stale after this many days without a change. */
export const STALE_DAYS = 14
/** A feature is at risk if at least this share of its open points is in trouble. */
export const AT_RISK_THRESHOLD = 0.3

const STALE_WEIGHT = 0.5
const WAIT_WEIGHT = 0.25

export const AT_RISK_RULE =
  'A feature is at risk when at least 30% of its open points are in trouble, or when it is closed while work below it is open. An open ' +
  'backlog item counts in full when it is blocked by a tag or a field, or when its iteration has ended; half when it is in progress and ' +
  `neither it nor anything below it has changed for ${STALE_DAYS} days; and a quarter for each predecessor that it waits for, for each blocked ` +
  'item below it, and, once the feature has started, for a missing estimate; never more than in full. An item without an estimate counts ' +
  'as the average of the estimated backlog items of the feature. What blocks the feature itself blocks all of its open work.'

export interface RiskAssessment {
  /** From 0 to 1: the share of the open points that is in trouble. */
  weight: number
  atRisk: boolean
  risks: Risk[]
}

export interface RiskContext {
  /** Used as today. */
  asOf: string
  parentOf: ItemForest['parentOf']
  /** The last day of each iteration whose dates are known, by its path. */
  iterationEnds: ReadonlyMap<string, string>
}

/** An open item of a feature, and what is wrong with it. */
interface OpenWork {
  item: ReportItem
  points: number
  isBlocked: boolean
  /** The number of its open predecessors and of blocked items below it. */
  waits: number
  isLate: boolean
  isStale: boolean
  isUnestimated: boolean
}

/** Assesses how much of a feature's open work is in trouble, by `AT_RISK_RULE`. */
export function assessRisk(tree: ReportTree, context: RiskContext): RiskAssessment {
  if (!tree.items.some(isOpen)) return { weight: 0, atRisk: false, risks: [] }
  const pieces = listOpenWork(tree, context)
  const all = pieces.reduce((sum, { points }) => sum + points, 0)
  const weighed = pieces.reduce((sum, piece) => sum + (all > 0 ? piece.points : 1) * weighTrouble(piece), 0)
  const weight = Math.round((weighed / (all > 0 ? all : pieces.length)) * 1e4) / 1e4
  const isClosedEarly = isDone(tree.root)
  return {
    weight,
    atRisk: weight >= AT_RISK_THRESHOLD || isClosedEarly,
    risks: listRisks(tree, pieces, isClosedEarly),
  }
}

function weighTrouble({ isBlocked, waits, isLate, isStale, isUnestimated }: OpenWork): number {
  if (isBlocked || isLate) return 1
  return Math.min(1, waits * WAIT_WEIGHT + (isStale ? STALE_WEIGHT : 0) + (isUnestimated ? WAIT_WEIGHT : 0))
}

/** The open backlog items; if there are none, the open items below the feature, or else the feature itself. */
function listOpenWork(tree: ReportTree, context: RiskContext): OpenWork[] {
  const open = tree.items.filter(isOpen)
  const backlog = open.filter(({ level }) => level === REQUIREMENT_LEVEL)
  const below = open.filter((item) => item !== tree.root)
  const items = backlog.length > 0 ? backlog : below.length > 0 ? below : [tree.root]
  const belowEach = groupDescendants(tree, items, context.parentOf)
  const average = computeAverageEstimate(tree)
  const staleSince = subtractDays(context.asOf, STALE_DAYS)
  const hasBegun = tree.items.some((item) => isInProgress(item) || isDone(item))
  const isWholeStale = hasBegun && areUnchanged(tree.items, staleSince)
  const above = countBlockers(tree.root)
  return items.map((item) => {
    const members = belowEach.get(item.id)!
    const own = item === tree.root ? { isBlocked: false, waits: 0 } : countBlockers(item)
    const heldUpBelow = members.filter((member) => isOpen(member) && listBlockers(member).length > 0).length
    return {
      item,
      points: hasEstimate(item) ? item.storyPoints! : average,
      isBlocked: above.isBlocked || own.isBlocked,
      waits: above.waits + own.waits + heldUpBelow,
      isLate: hasEnded(item, context),
      isStale: isWholeStale || (isInProgress(item) && areUnchanged([item, ...members], staleSince)),
      isUnestimated: hasBegun && item.level === REQUIREMENT_LEVEL && !hasEstimate(item),
    }
  })
}

function countBlockers(item: ReportItem): Pick<OpenWork, 'isBlocked' | 'waits'> {
  const blockers = listBlockers(item)
  const waits = blockers.filter(({ signal }) => signal === 'predecessor').length
  return { isBlocked: blockers.length > waits, waits }
}

/** The descendants of each work item that are not work items of the list themselves, by its ID. */
function groupDescendants(tree: ReportTree, pieces: readonly ReportItem[], parentOf: ItemForest['parentOf']) {
  const below = new Map(pieces.map(({ id }) => [id, [] as ReportItem[]]))
  const pieceOf = new Map(pieces.map(({ id }) => [id, id]))
  for (const item of tree.items) {
    if (below.has(item.id)) continue
    const piece = pieceOf.get(parentOf.get(item.id) ?? item.id)
    if (piece === undefined) continue
    pieceOf.set(item.id, piece)
    below.get(piece)!.push(item)
  }
  return below
}

function computeAverageEstimate(tree: ReportTree): number {
  const estimates = tree.items.flatMap((item) =>
    item.level === REQUIREMENT_LEVEL && hasEstimate(item) ? [item.storyPoints!] : [],
  )
  const sum = estimates.reduce((total, points) => total + points, 0)
  return sum > 0 ? sum / estimates.length : 1
}

function areUnchanged(items: readonly ReportItem[], since: string): boolean {
  return items.every((item) => isRemoved(item) || (item.changedAt <= since && item.changedAt !== UNKNOWN_INSTANT))
}

/** An iteration ends with its last day. */
function hasEnded({ iterationPath }: ReportItem, { asOf, iterationEnds }: RiskContext): boolean {
  const lastDay = iterationEnds.get(iterationPath)
  return lastDay !== undefined && asOf.slice(0, 10) > lastDay.slice(0, 10)
}

function listRisks(tree: ReportTree, pieces: readonly OpenWork[], isClosedEarly: boolean): Risk[] {
  const risks: Risk[] = []
  const add = (
    signal: Risk['signal'],
    found: readonly OpenWork[],
    evidenceOf: (n: number, names: string) => string,
  ) => {
    const named = nameItems(found.map(({ item }) => item))
    if (found.length > 0)
      risks.push({ signal, evidence: evidenceOf(found.length, formatNames(named.references)), ...named })
  }
  const isRootBlocked = countBlockers(tree.root).isBlocked
  if (isRootBlocked)
    risks.push({ signal: 'blocked', evidence: 'the feature itself is blocked', ...nameItems([tree.root]) })
  const blocked = isRootBlocked ? [] : pieces.filter((piece) => piece.isBlocked)
  const waiting = pieces.filter((piece) => !piece.isBlocked && piece.waits > 0)
  add('blocked', blocked, (n, names) => `${names} ${inflect(n, 'is', 'are')} blocked`)
  add('waiting', waiting, (n, names) => `${names} ${inflect(n, 'is', 'are')} held up in part`)
  add(
    'late',
    pieces.filter((piece) => piece.isLate),
    (n, names) =>
      `${names} ${inflect(n, 'is', 'are')} still open after the iteration planned for ${inflect(n, 'it', 'them')} ended`,
  )
  add(
    'stale',
    pieces.filter((piece) => piece.isStale),
    (n, names) => `${names} ${inflect(n, 'has', 'have')} not changed for ${STALE_DAYS} days or more`,
  )
  add(
    'unestimated',
    pieces.filter((piece) => piece.isUnestimated),
    (n) => `${n} of ${formatCount(pieces.length, 'open backlog item')} ${inflect(n, 'has', 'have')} no estimate`,
  )
  if (isClosedEarly) {
    const open = tree.items.filter(isOpen)
    const evidence = `closed, but ${formatCount(open.length, 'item')} below it ${inflect(open.length, 'is', 'are')} open`
    risks.push({ signal: 'closed-early', evidence, ...nameItems(open) })
  }
  return risks
}

function nameItems(items: readonly ReportItem[]): Pick<Risk, 'itemIds' | 'references'> {
  return { itemIds: items.map(({ id }) => id), references: items.map(({ reference }) => reference) }
}

const MAX_NAMED_ITEMS = 5

/** `#1, gh:owner/repository#2 and 3 more` */
export function formatNames(references: readonly string[]): string {
  const named = references.slice(0, MAX_NAMED_ITEMS)
  if (references.length > named.length) named.push(`${references.length - named.length} more`)
  return joinList(named)
}
