import { isRemoved, type ReportItem } from './item'
import { completionOf, sumOver, type Totals } from './totals'

/** The items that have something in common, and what they come to. */
export interface Group {
  /** Null: the items that have no value there. */
  name: string | null
  totals: Totals
  completion: number | null
}

/** Removed items are in no group. The largest group first, then by name. */
export function groupsOf(
  items: readonly ReportItem[],
  shares: ReadonlyMap<number, Totals>,
  nameOf: (item: ReportItem) => string | null,
): Group[] {
  const members = new Map<string | null, ReportItem[]>()
  for (const item of items) {
    if (isRemoved(item)) continue
    const name = nameOf(item)
    const group = members.get(name)
    if (group) group.push(item)
    else members.set(name, [item])
  }
  const groups = [...members].map(([name, group]) => {
    const totals = sumOver(group, shares)
    return { name, totals, completion: completionOf(totals) }
  })
  return groups.sort((a, b) => b.totals.items - a.totals.items || ((a.name ?? '') < (b.name ?? '') ? -1 : 1))
}

/** Names people by their display name, and by their account too where two of them share one. */
export function assigneeNaming(items: readonly ReportItem[]): (item: ReportItem) => string | null {
  const accounts = new Map<string, Set<string | null>>()
  for (const { assignedTo } of items) {
    if (!assignedTo) continue
    const known = accounts.get(assignedTo.displayName) ?? new Set()
    accounts.set(assignedTo.displayName, known.add(assignedTo.uniqueName))
  }
  return ({ assignedTo }) => {
    if (!assignedTo) return null
    const { displayName, uniqueName } = assignedTo
    return uniqueName !== null && accounts.get(displayName)!.size > 1 ? `${displayName} <${uniqueName}>` : displayName
  }
}
