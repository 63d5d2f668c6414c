import type { ResultOf } from '../../../src/catalog'
import type { Colors } from '../../layout'

export type Hierarchy = ResultOf<'reports.hierarchy'>
export type Node = Hierarchy['features'][number]

/** A node on the way through its tree. */
export interface Step {
  node: Node
  /** 0 for the root. */
  depth: number
  /** How the lines of a drawing begin: that of the node itself, and those that follow below it. */
  lead: string
  below: string
}

/** A parent before its children; without recursion, since a tree may be deeper than the stack. */
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
