import type { ResultOf } from '../../../src/catalog'
import type { Colors } from '../../terminal/layout'

export type Hierarchy = ResultOf<'reports.hierarchy'>
export type Node = Hierarchy['features'][number]

/** A node on the way through its tree. */
export interface Step {
  node: Node
  /** 0 for the root. */
  depth: number
  /** The start of the node's line in a drawing, and that of the lines below it. */
  lead: string
  below: string
}

/** Visits parents before children. Not recursive, because a tree can be deeper than the stack. */
export function* walk(root: Node): Generator<Step> {
  const waiting: Step[] = [{ node: root, depth: 0, lead: '', below: '' }]
  for (let step = waiting.pop(); step; step = waiting.pop()) {
    yield step
    const { children } = step.node
    for (let i = children.length - 1; i >= 0; i--) {
      const isLast = i === children.length - 1
      waiting.push({
        node: children[i]!,
        depth: step.depth + 1,
        lead: step.below + (isLast ? '└─ ' : '├─ '),
        below: step.below + (isLast ? '   ' : '│  '),
      })
    }
  }
}

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
  Proposed: { sign: '○', meaning: 'to do', color: (text) => text },
  Removed: { sign: '×', meaning: 'removed, not counted', color: (text, colors) => colors.faint(text) },
}

export function getStateMark({ blockers, stateCategory }: Pick<Node, 'blockers' | 'stateCategory'>): Mark {
  if (blockers.length > 0) return blocked
  return stateCategory === null ? unknown : byCategory[stateCategory]
}

/** `✓ done`, `● in progress`, for the marks in the drawing. */
export function listLegend(shown: ReadonlySet<Mark>): string[] {
  const all = [byCategory.Completed, underWay, byCategory.Proposed, blocked, byCategory.Removed, unknown]
  return all.filter((mark) => shown.has(mark)).map(({ sign, meaning }) => `${sign} ${meaning}`)
}
