import { blockersOn } from './blockers'
import { hasEstimate } from './estimates'
import type { Tree } from './forest'
import { isDone, isInProgress, isOpen, isRemoved, REQUIREMENT_LEVEL, type ReportItem } from './item'
import type { Lineage } from './lineage'
import { daysBefore, UNKNOWN_MOMENT } from './moments'
import { agreeing, count, listed } from './wording'

/** After so many days without a change, work in progress counts as stale. */
export const STALE_DAYS = 14
/** From this share of open points in trouble on, a feature is at risk. */
export const AT_RISK_FROM = 0.3

const HALF = 0.5
const QUARTER = 0.25

export const AT_RISK_RULE =
  'A feature is at risk when at least 30% of its open points are in trouble, or when it is closed while work below it is open. An open ' +
  'backlog item counts in full when it is blocked by a tag or a field, or when its iteration has ended; half when it is in progress and ' +
  `neither it nor anything below it has changed for ${STALE_DAYS} days; and a quarter for each predecessor that it waits for, for each blocked ` +
  'item below it, and, once the feature has begun, for a missing estimate; never more than in full. An item without an estimate counts ' +
  'as the average of the estimated backlog items of the feature. What holds up the feature itself holds up all of its open work.'

export interface Risk {
  signal: 'blocked' | 'waiting' | 'late' | 'stale' | 'unestimated' | 'closed-early'
  evidence: string
  /** The items that show it. */
  itemIds: number[]
}

export interface RiskAssessment {
  /** From 0 to 1: the share of the open points that is in trouble. */
  weight: number
  atRisk: boolean
  risks: Risk[]
}

/** What is known besides the tree. */
export interface RiskContext {
  /** Stands for today. */
  asOf: string
  parentOf: Lineage['parentOf']
  /** The last day of each iteration whose dates are known, by its path. */
  iterationEnds: ReadonlyMap<string, string>
}

/** One piece of open work, and what is wrong with it. */
interface Piece {
  item: ReportItem
  points: number
  isBlocked: boolean
  /** Open predecessors of it, and blocked items below it. */
  waits: number
  isLate: boolean
  isStale: boolean
  isUnestimated: boolean
}

/** How much of a feature's open work is in trouble, by `AT_RISK_RULE`. */
export function assessRisk(tree: Tree, context: RiskContext): RiskAssessment {
  if (!tree.items.some(isOpen)) return { weight: 0, atRisk: false, risks: [] }
  const pieces = openPieces(tree, context)
  const all = pieces.reduce((sum, { points }) => sum + points, 0)
  const weighed = pieces.reduce((sum, piece) => sum + (all > 0 ? piece.points : 1) * troubleOf(piece), 0)
  const weight = Math.round((weighed / (all > 0 ? all : pieces.length)) * 1e4) / 1e4
  const isClosedEarly = isDone(tree.root)
  return {
    weight,
    atRisk: weight >= AT_RISK_FROM || isClosedEarly,
    risks: risksOf(tree, pieces, isClosedEarly),
  }
}

function troubleOf({ isBlocked, waits, isLate, isStale, isUnestimated }: Piece): number {
  if (isBlocked || isLate) return 1
  return Math.min(1, waits * QUARTER + (isStale ? HALF : 0) + (isUnestimated ? QUARTER : 0))
}

/** The open backlog items; without any, the open items below the feature, else the feature itself. */
function openPieces(tree: Tree, context: RiskContext): Piece[] {
  const open = tree.items.filter(isOpen)
  const backlog = open.filter(({ level }) => level === REQUIREMENT_LEVEL)
  const below = open.filter((item) => item !== tree.root)
  const items = backlog.length > 0 ? backlog : below.length > 0 ? below : [tree.root]
  const belowEach = itemsBelowEach(tree, items, context.parentOf)
  const average = averageEstimate(tree)
  const staleSince = daysBefore(context.asOf, STALE_DAYS)
  const hasBegun = tree.items.some((item) => isInProgress(item) || isDone(item))
  const isWholeStale = hasBegun && areUnchanged(tree.items, staleSince)
  const above = holdUpsOf(tree.root)
  return items.map((item) => {
    const members = belowEach.get(item.id)!
    const own = item === tree.root ? { isBlocked: false, waits: 0 } : holdUpsOf(item)
    const heldUpBelow = members.filter((member) => isOpen(member) && blockersOn(member).length > 0).length
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

function holdUpsOf(item: ReportItem): Pick<Piece, 'isBlocked' | 'waits'> {
  const blockers = blockersOn(item)
  const waits = blockers.filter(({ signal }) => signal === 'predecessor').length
  return { isBlocked: blockers.length > waits, waits }
}

/** What is below each piece of work and no piece itself, by the id of the piece. */
function itemsBelowEach(tree: Tree, pieces: readonly ReportItem[], parentOf: Lineage['parentOf']) {
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

function averageEstimate(tree: Tree): number {
  const estimates = tree.items.flatMap((item) =>
    item.level === REQUIREMENT_LEVEL && hasEstimate(item) ? [item.storyPoints!] : [],
  )
  const sum = estimates.reduce((total, points) => total + points, 0)
  return sum > 0 ? sum / estimates.length : 1
}

function areUnchanged(items: readonly ReportItem[], since: string): boolean {
  return items.every((item) => isRemoved(item) || (item.changedAt <= since && item.changedAt !== UNKNOWN_MOMENT))
}

/** An iteration ends with its last day. */
function hasEnded({ iterationPath }: ReportItem, { asOf, iterationEnds }: RiskContext): boolean {
  const lastDay = iterationEnds.get(iterationPath)
  return lastDay !== undefined && asOf.slice(0, 10) > lastDay.slice(0, 10)
}

function risksOf(tree: Tree, pieces: readonly Piece[], isClosedEarly: boolean): Risk[] {
  const risks: Risk[] = []
  const add = (signal: Risk['signal'], found: readonly Piece[], evidenceOf: (n: number, ids: string) => string) => {
    const itemIds = found.map(({ item }) => item.id)
    if (itemIds.length > 0) risks.push({ signal, evidence: evidenceOf(itemIds.length, idsText(itemIds)), itemIds })
  }
  const isRootBlocked = holdUpsOf(tree.root).isBlocked
  if (isRootBlocked)
    risks.push({ signal: 'blocked', evidence: 'the feature itself is blocked', itemIds: [tree.root.id] })
  const blocked = isRootBlocked ? [] : pieces.filter((piece) => piece.isBlocked)
  const waiting = pieces.filter((piece) => !piece.isBlocked && piece.waits > 0)
  add('blocked', blocked, (n, ids) => `${ids} ${agreeing(n, 'is', 'are')} blocked`)
  add('waiting', waiting, (n, ids) => `${ids} ${agreeing(n, 'is', 'are')} held up in part`)
  add(
    'late',
    pieces.filter((piece) => piece.isLate),
    (n, ids) =>
      `${ids} ${agreeing(n, 'is', 'are')} still open after the iteration planned for ${agreeing(n, 'it', 'them')} ended`,
  )
  add(
    'stale',
    pieces.filter((piece) => piece.isStale),
    (n, ids) => `${ids} ${agreeing(n, 'has', 'have')} not changed for ${STALE_DAYS} days or more`,
  )
  add(
    'unestimated',
    pieces.filter((piece) => piece.isUnestimated),
    (n) => `${n} of ${count(pieces.length, 'open backlog item')} ${agreeing(n, 'has', 'have')} no estimate`,
  )
  if (isClosedEarly) {
    const open = tree.items.filter(isOpen)
    const evidence = `closed, but ${count(open.length, 'item')} below it ${agreeing(open.length, 'is', 'are')} open`
    risks.push({ signal: 'closed-early', evidence, itemIds: open.map(({ id }) => id) })
  }
  return risks
}

const MOST_IDS_NAMED = 5

/** `#1, #2 and 3 more` */
export function idsText(ids: readonly number[]): string {
  const named = ids.slice(0, MOST_IDS_NAMED).map((id) => `#${id}`)
  if (ids.length > named.length) named.push(`${ids.length - named.length} more`)
  return listed(named)
}
