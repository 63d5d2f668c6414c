import type { Call, Endpoint } from '../http/call'
import type { Plan } from '../state/plan'
import type { PlanNode } from '../state/state'
import { type Answer, jsonAnswer, listAnswer } from '../wire/answer'
import { Refusal } from '../wire/refusal'
import { wireInstant } from '../wire/values'
import { omitsErrors } from './items'

/** The trees of areas and iterations. */
export const nodeEndpoints: readonly Endpoint[] = [
  { method: 'GET', path: '_apis/wit/classificationnodes', run: rootsOrChosen },
  { method: 'GET', path: '_apis/wit/classificationnodes/:group', run: oneNode },
  { method: 'GET', path: '_apis/wit/classificationnodes/:group/*path', run: oneNode },
]

/** In the order of their numbers: some clients send those. */
const groups = ['Areas', 'Iterations'] as const
type Group = (typeof groups)[number]

function rootsOrChosen(call: Call): Answer {
  const depth = call.query.integer('$depth') ?? 0
  const ids = call.query.list('ids')
  return listAnswer(
    ids === null ? groups.map((group) => nodeAt(call, group, [], depth)) : ids.map((id) => nodeWithId(call, id, depth)),
  )
}

/** Null for a node that is not there, where the call says that it may be left out. */
function nodeWithId(call: Call, id: string, depth: number): Record<string, unknown> | null {
  for (const group of groups) {
    const found = planOf(call, group).findById(Number(id))
    if (found) return nodeJson(call, group, { node: found.node, names: found.path.split('\\').slice(1), depth })
  }
  if (omitsErrors(call.query.text('errorPolicy'))) return null
  throw noSuchNode(id)
}

function planOf({ world }: Call, group: Group): Plan {
  return group === 'Areas' ? world.areas : world.iterations
}

function noSuchNode(name: string): Refusal {
  return new Refusal(
    404,
    'WorkItemTrackingTreeNodeNotFoundException',
    `VS402485: The area/iteration name '${name}' is not recognized.`,
  )
}

function oneNode(call: Call): Answer {
  const group = groupNamed(call.params.group!)
  const names = (call.params.path ?? '').split(/[\\/]/).filter((name) => name !== '')
  return jsonAnswer(nodeAt(call, group, names, call.query.integer('$depth') ?? 0))
}

function groupNamed(name: string): Group {
  const group = groups.find((one, number) => one.toLowerCase() === name.toLowerCase() || String(number) === name)
  if (group) return group
  throw new Refusal(404, 'VssResourceNotFoundException', `The structure group '${name}' does not exist.`)
}

function nodeAt(call: Call, group: Group, names: readonly string[], depth: number): Record<string, unknown> {
  const plan = planOf(call, group)
  const found = plan.find([plan.root.name, ...names].join('\\'))
  if (!found) throw noSuchNode(names.join('\\'))
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
