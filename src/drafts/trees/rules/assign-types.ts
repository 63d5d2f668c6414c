import type { ErrorDetail } from '../../../kernel'
import { equalsIgnoringCase } from '../../../kernel/text/text'
import type { TrackerItem, TrackerProcess, WorkItemType } from '../../../tracker'
import type { TreeNode } from './parse-tree'

interface TypedTree {
  /** The type of each node; null where none could be chosen. */
  types: (WorkItemType | null)[]
  problems: ErrorDetail[]
}

type Parent = Pick<TrackerItem, 'type' | 'level'>

/**
 * Chooses the type of each node: the one that it names, or else one of the level below its parent. A root without a parent gets the level that
 * leaves room for what is below it: a story has tasks, and a feature has stories.
 */
export function assignTypes(nodes: readonly TreeNode[], process: TrackerProcess, root: Parent | null): TypedTree {
  const heights = measureHeights(nodes)
  const problems: ErrorDetail[] = []
  const types: (WorkItemType | null)[] = []
  const names = process.types.map(({ name }) => name).join(', ')
  for (const [index, node] of nodes.entries()) {
    const named = node.attributes.get('type')
    const above = node.parent === null ? null : (types[node.parent] ?? null)
    const parentLevel = node.parent === null ? (root?.level ?? null) : (above?.level ?? null)
    const level = parentLevel !== null ? parentLevel - 1 : node.parent === null ? Math.max(1, heights[index]!) : null
    const type =
      named === undefined
        ? findTypeOfLevel(process, level, node.parent === null && root === null)
        : (process.types.find(({ name }) => equalsIgnoringCase(name, named)) ?? null)
    types.push(type)
    const addProblem = (message: string) => problems.push({ path: node.place, message })
    if (named !== undefined && type === null)
      addProblem(`"${named}" is not a type of this tracker; use one of ${names}`)
    // A node below one without a type has the same problem.
    else if (type === null && (node.parent === null || above !== null))
      addProblem(`no type is one level below ${above?.name ?? root?.type ?? 'the root'}; name one in a line "type: …"`)
    else if (type !== null) {
      const parentType = node.parent === null ? root?.type : above?.name
      const isBelow = parentLevel === null || type.level === null || type.level <= parentLevel
      if (!isBelow) addProblem(`a ${type.name} cannot be below a ${parentType}`)
    }
  }
  return { types, problems }
}

/** How many levels are below each root of a file; the same for all roots beside each other. */
function measureHeights(nodes: readonly TreeNode[]): number[] {
  const tallest = new Map<string, number>()
  for (const { tree, path } of nodes) tallest.set(tree, Math.max(tallest.get(tree) ?? 0, path.length - 1))
  return nodes.map(({ tree }) => tallest.get(tree)!)
}

/** The first type of a level. A bug has the level of a story or a task, but is neither. */
function findTypeOfLevel(process: TrackerProcess, level: number | null, mayBeLower: boolean): WorkItemType | null {
  if (level === null || level < 0) return null
  const ofLevel = process.types.filter((type) => type.level === level)
  const found = ofLevel.find(({ name }) => !/bug|defect|issue/i.test(name)) ?? ofLevel[0]
  if (found) return found
  return mayBeLower ? findTypeOfLevel(process, level - 1, true) : null
}
