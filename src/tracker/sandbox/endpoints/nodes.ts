import type { Call, Endpoint } from '../http/call'
import type { Plan } from '../state/plan'
import type { PlanNode } from '../state/state'
import { type Answer, jsonAnswer, listAnswer } from '../wire/answer'
import { Refusal } from '../wire/refusal'
import { wireInstant } from '../wire/values'

/** The trees of areas and iterations. */
export const nodeEndpoints: readonly Endpoint[] = [
  { method: 'GET', path: '_apis/wit/classificationnodes', run: bothRoots },
  { method: 'GET', path: '_apis/wit/classificationnodes/:group', run: oneNode },
  { method: 'GET', path: '_apis/wit/classificationnodes/:group/*path', run: oneNode },
]

type Group = 'Areas' | 'Iterations'

function bothRoots(call: Call): Answer {
  const depth = call.query.integer('$depth') ?? 0
  return listAnswer((['Areas', 'Iterations'] as const).map((group) => nodeAt(call, group, [], depth)))
}

function oneNode(call: Call): Answer {
  const group = groupNamed(call.params.group!)
  const names = (call.params.path ?? '').split(/[\\/]/).filter((name) => name !== '')
  return jsonAnswer(nodeAt(call, group, names, call.query.integer('$depth') ?? 0))
}

function groupNamed(name: string): Group {
  const group = (['Areas', 'Iterations'] as const).find((one) => one.toLowerCase() === name.toLowerCase())
  if (group) return group
  throw new Refusal(404, 'VssResourceNotFoundException', `The structure group '${name}' does not exist.`)
}

function nodeAt(call: Call, group: Group, names: readonly string[], depth: number): Record<string, unknown> {
  const { world } = call
  const plan: Plan = group === 'Areas' ? world.areas : world.iterations
  const found = plan.find([plan.root.name, ...names].join('\\'))
  if (!found) {
    throw new Refusal(
      404,
      'WorkItemTrackingTreeNodeNotFoundException',
      `VS402485: The area/iteration name '${names.join('\\')}' is not recognized.`,
    )
  }
  return nodeJson(call, group, { node: found.node, names, depth })
}

interface Place {
  node: PlanNode
  /** Below the root. */
  names: readonly string[]
  /** How many levels of children to show. */
  depth: number
}

/** `hasChildren` without `children` means that the depth asked for ends here. */
function nodeJson(call: Call, group: Group, { node, names, depth }: Place): Record<string, unknown> {
  const { project } = call.world
  const children = node.children ?? []
  const kind = group === 'Areas' ? 'Area' : 'Iteration'
  const address = [
    `${call.base}/${project.id}/_apis/wit/classificationNodes/${group}`,
    ...names.map(encodeURIComponent),
  ]
  return {
    id: node.id,
    identifier: node.identifier,
    name: node.name,
    structureType: kind.toLowerCase(),
    hasChildren: children.length > 0,
    ...(children.length > 0 && depth > 0
      ? {
          children: children.map((child) =>
            nodeJson(call, group, { node: child, names: [...names, child.name], depth: depth - 1 }),
          ),
        }
      : {}),
    ...(node.startDate && node.finishDate
      ? { attributes: { startDate: wireInstant(node.startDate), finishDate: wireInstant(node.finishDate) } }
      : {}),
    path: `\\${[project.name, kind, ...names].join('\\')}`,
    url: address.join('/'),
  }
}
