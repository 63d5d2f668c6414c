import type { z } from 'zod'
import type { reportHierarchy } from '../../../src/reports/operations/report-hierarchy'

export type Hierarchy = z.infer<typeof reportHierarchy.output>
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
