import type { Colors } from '../../colors'
import type { Node } from './walk'

interface Mark {
  sign: string
  meaning: string
  color(text: string, colors: Colors): string
}

const blocked: Mark = { sign: '!', meaning: 'blocked', color: (text, colors) => colors.bad(text) }
const unknown: Mark = { sign: '?', meaning: 'state unknown', color: (text, colors) => colors.warn(text) }
const underWay: Mark = { sign: '●', meaning: 'in progress', color: (text, colors) => colors.accent(text) }

const byCategory: Record<NonNullable<Node['stateCategory']>, Mark> = {
  Completed: { sign: '✓', meaning: 'done', color: (text, colors) => colors.good(text) },
  InProgress: underWay,
  Resolved: underWay,
  Proposed: { sign: '○', meaning: 'not begun', color: (text) => text },
  Removed: { sign: '×', meaning: 'removed, counts nowhere', color: (text, colors) => colors.faint(text) },
}

export function getStateMark({ blockers, stateCategory }: Pick<Node, 'blockers' | 'stateCategory'>): Mark {
  if (blockers.length > 0) return blocked
  return stateCategory === null ? unknown : byCategory[stateCategory]
}

/** `✓ done`, `● in progress`: those of the marks that were shown. */
export function listLegend(shown: ReadonlySet<Mark>): string[] {
  const all = [byCategory.Completed, underWay, byCategory.Proposed, blocked, byCategory.Removed, unknown]
  return all.filter((mark) => shown.has(mark)).map(({ sign, meaning }) => `${sign} ${meaning}`)
}
