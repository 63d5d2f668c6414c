import { blockersOn } from './blockers'
import type { Tree } from './forest'
import { isDone, isInProgress, isOpen, isRemoved, REQUIREMENT_LEVEL } from './item'
import { dateText, daysBetween, latest, UNKNOWN_MOMENT } from './moments'
import type { Totals } from './totals'
import { agreeing, count, listed } from './wording'

/** After so many days without a change, work in progress counts as stale. */
export const STALE_DAYS = 14

export const AT_RISK_RULE =
  'A feature with open work is at risk when it or an item below it is blocked; when its work has begun and nothing in it ' +
  `has changed for ${STALE_DAYS} days; when its work has begun and at least half of its open backlog items have no ` +
  'estimate; or when it is closed while items below it are open.'

export interface Risk {
  signal: 'blocked' | 'stale' | 'unestimated' | 'closed-early'
  evidence: string
}

/** A feature with open work, as the signals look at it. `asOf` stands for today. */
interface Candidate {
  tree: Tree
  totals: Totals
  asOf: string
  hasBegun: boolean
}

const signals: Record<Risk['signal'], (candidate: Candidate) => string | null> = {
  blocked: blockedEvidence,
  stale: staleEvidence,
  unestimated: unestimatedEvidence,
  'closed-early': closedEarlyEvidence,
}

/** Why a feature is at risk, by `AT_RISK_RULE`; empty when it is not. */
export function risksOf(tree: Tree, totals: Totals, asOf: string): Risk[] {
  if (!tree.items.some(isOpen)) return []
  const candidate = { tree, totals, asOf, hasBegun: tree.items.some((item) => isInProgress(item) || isDone(item)) }
  return Object.entries(signals).flatMap(([signal, evidenceOf]) => {
    const evidence = evidenceOf(candidate)
    return evidence === null ? [] : [{ signal: signal as Risk['signal'], evidence }]
  })
}

const MOST_IDS_NAMED = 5

function blockedEvidence({ tree, totals }: Candidate): string | null {
  if (totals.blockers === 0) return null
  const ids = tree.items.filter((item) => blockersOn(item).length > 0).map((item) => `#${item.id}`)
  const named = ids.slice(0, MOST_IDS_NAMED)
  if (ids.length > named.length) named.push(`${ids.length - named.length} more`)
  return `${count(totals.blockers, 'blocker')} on ${listed(named)}`
}

function staleEvidence({ tree, asOf, hasBegun }: Candidate): string | null {
  const lastChange = latest(tree.items.filter((item) => !isRemoved(item)).map((item) => item.changedAt))
  const isKnown = tree.items.every(({ changedAt }) => changedAt !== UNKNOWN_MOMENT)
  if (!hasBegun || lastChange === null || !isKnown) return null
  const days = daysBetween(lastChange, asOf)
  if (days < STALE_DAYS) return null
  return `begun, but nothing in it has changed since ${dateText(lastChange)} (${days} days)`
}

function unestimatedEvidence({ tree, totals, hasBegun }: Candidate): string | null {
  const open = tree.items.filter((item) => isOpen(item) && item.level === REQUIREMENT_LEVEL).length
  if (!hasBegun || totals.unestimated === 0 || totals.unestimated * 2 < open) return null
  const verb = agreeing(totals.unestimated, 'has', 'have')
  return `begun, but ${totals.unestimated} of ${count(open, 'open backlog item')} ${verb} no estimate`
}

function closedEarlyEvidence({ tree }: Candidate): string | null {
  if (!isDone(tree.root)) return null
  const open = tree.items.filter(isOpen).length
  return `closed, but ${count(open, 'item')} below it ${agreeing(open, 'is', 'are')} open`
}
