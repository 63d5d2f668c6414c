import type { Paint } from '../../paint'
import type { Node } from './walk'

interface Mark {
  sign: string
  meaning: string
  paint(text: string, paint: Paint): string
}

const blocked: Mark = { sign: '!', meaning: 'blocked', paint: (text, paint) => paint.bad(text) }
const unknown: Mark = { sign: '?', meaning: 'state unknown', paint: (text, paint) => paint.warn(text) }
const underWay: Mark = { sign: '●', meaning: 'in progress', paint: (text, paint) => paint.accent(text) }

const byCategory: Record<NonNullable<Node['stateCategory']>, Mark> = {
  Completed: { sign: '✓', meaning: 'done', paint: (text, paint) => paint.good(text) },
  InProgress: underWay,
  Resolved: underWay,
  Proposed: { sign: '○', meaning: 'not begun', paint: (text) => text },
  Removed: { sign: '×', meaning: 'removed, counts nowhere', paint: (text, paint) => paint.faint(text) },
}

export function markOf({ blockers, stateCategory }: Pick<Node, 'blockers' | 'stateCategory'>): Mark {
  if (blockers.length > 0) return blocked
  return stateCategory === null ? unknown : byCategory[stateCategory]
}

/** `✓ done`, `● in progress`: those of the marks that were shown. */
export function legendOf(shown: ReadonlySet<Mark>): string[] {
  const all = [byCategory.Completed, underWay, byCategory.Proposed, blocked, byCategory.Removed, unknown]
  return all.filter((mark) => shown.has(mark)).map(({ sign, meaning }) => `${sign} ${meaning}`)
}
