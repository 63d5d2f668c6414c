import { equalsIgnoringCase } from '../../kernel/text/text'
import type { EndpointCall } from '../http/endpoint'
import type { ClassificationNode } from '../state/state'
import type { ClassificationTree } from '../state/tracker-model'
import { toWireInstant } from '../wire/item-json'
import { WireError } from '../wire/response'
import { isOmitPolicy } from './items'

/** In the order of their numbers, which some clients send. */
const GROUPS = ['Areas', 'Iterations'] as const
type Group = (typeof GROUPS)[number]

/** The roots of the trees of areas and iterations, or the nodes with the requested IDs. */
export function listNodes(call: EndpointCall) {
  const depth = call.query.integer('$depth') ?? 0
  const ids = call.query.list('ids')
  return ids === null
    ? GROUPS.map((group) => findNode(call, group, [], depth))
    : ids.map((id) => findNodeById(call, id, depth))
}

/** Null for a missing node if the call allows omitting it. */
function findNodeById(call: EndpointCall, id: string, depth: number) {
  for (const group of GROUPS) {
    const found = getTree(call, group).findById(Number(id))
    if (found) return toNodeJson(call, group, { node: found.node, names: found.path.split('\\').slice(1), depth })
  }
  if (isOmitPolicy(call.query.text('errorPolicy'))) return null
  throw createNodeNotFoundError(id)
}

function getTree({ model }: EndpointCall, group: Group): ClassificationTree {
  return group === 'Areas' ? model.areas : model.iterations
}

function createNodeNotFoundError(name: string): WireError {
  return new WireError(
    404,
    'WorkItemTrackingTreeNodeNotFoundException',
    `VS402485: The area/iteration name '${name}' is not recognized.`,
  )
}

export function getNode(call: EndpointCall) {
  const name = call.params.group!
  const group = GROUPS.find((one, number) => equalsIgnoringCase(one, name) || String(number) === name)
  if (!group) throw new WireError(404, 'VssResourceNotFoundException', `The structure group '${name}' does not exist.`)
  const names = (call.params.path ?? '').split(/[\\/]/).filter((part) => part !== '')
  return findNode(call, group, names, call.query.integer('$depth') ?? 0)
}

function findNode(call: EndpointCall, group: Group, names: readonly string[], depth: number) {
  const tree = getTree(call, group)
  const found = tree.find([tree.root.name, ...names].join('\\'))
  if (!found) throw createNodeNotFoundError(names.join('\\'))
  return toNodeJson(call, group, { node: found.node, names, depth })
}

interface NodeView {
  node: ClassificationNode
  /** Below the root. */
  names: readonly string[]
  /** How many levels of children to show. */
  depth: number
}

/** `hasChildren` without `children` means that the requested depth ends here. */
function toNodeJson(call: EndpointCall, group: Group, { node, names, depth }: NodeView): Record<string, unknown> {
  const { id, identifier, name, children = [], startDate, finishDate } = node
  const { project } = call.model
  const kind = group === 'Areas' ? 'Area' : 'Iteration'
  const url = `${call.base}/${project.id}/_apis/wit/classificationNodes/${group}`
  const toChildJson = (child: ClassificationNode) =>
    toNodeJson(call, group, { node: child, names: [...names, child.name], depth: depth - 1 })
  return {
    id,
    identifier,
    name,
    structureType: kind.toLowerCase(),
    hasChildren: children.length > 0,
    ...(children.length > 0 && depth > 0 ? { children: children.map(toChildJson) } : {}),
    ...(startDate && finishDate
      ? { attributes: { startDate: toWireInstant(startDate), finishDate: toWireInstant(finishDate) } }
      : {}),
    path: `\\${[project.name, kind, ...names].join('\\')}`,
    url: [url, ...names.map(encodeURIComponent)].join('/'),
  }
}
