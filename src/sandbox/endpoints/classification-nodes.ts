import type { Endpoint, EndpointCall } from '../http/endpoint'
import type { ClassificationNode } from '../state/state'
import type { ClassificationTree } from '../state/tracker-model'
import { toWireInstant } from '../wire/item-json'
import { createJsonResponse, createListResponse, WireError, type WireResponse } from '../wire/response'
import { isOmitPolicy } from './items'

/** The trees of areas and iterations. */
export const nodeEndpoints: readonly Endpoint[] = [
  { method: 'GET', path: '_apis/wit/classificationnodes', run: listNodes },
  { method: 'GET', path: '_apis/wit/classificationnodes/:group', run: getNode },
  { method: 'GET', path: '_apis/wit/classificationnodes/:group/*path', run: getNode },
]

/** In the order of their numbers, which some clients send. */
const GROUPS = ['Areas', 'Iterations'] as const
type Group = (typeof GROUPS)[number]

function listNodes(call: EndpointCall): WireResponse {
  const depth = call.query.integer('$depth') ?? 0
  const ids = call.query.list('ids')
  return createListResponse(
    ids === null
      ? GROUPS.map((group) => findNode(call, group, [], depth))
      : ids.map((id) => findNodeById(call, id, depth)),
  )
}

/** Null for a missing node if the call allows omitting it. */
function findNodeById(call: EndpointCall, id: string, depth: number): Record<string, unknown> | null {
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

function getNode(call: EndpointCall): WireResponse {
  const group = parseGroup(call.params.group!)
  const names = (call.params.path ?? '').split(/[\\/]/).filter((name) => name !== '')
  return createJsonResponse(findNode(call, group, names, call.query.integer('$depth') ?? 0))
}

function parseGroup(name: string): Group {
  const group = GROUPS.find((one, number) => one.toLowerCase() === name.toLowerCase() || String(number) === name)
  if (group) return group
  throw new WireError(404, 'VssResourceNotFoundException', `The structure group '${name}' does not exist.`)
}

function findNode(call: EndpointCall, group: Group, names: readonly string[], depth: number): Record<string, unknown> {
  const plan = getTree(call, group)
  const found = plan.find([plan.root.name, ...names].join('\\'))
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
  const { project } = call.model
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
            toNodeJson(call, group, { node: child, names: [...names, child.name], depth: depth - 1 }),
          ),
        }
      : {}),
    ...(node.startDate && node.finishDate
      ? { attributes: { startDate: toWireInstant(node.startDate), finishDate: toWireInstant(node.finishDate) } }
      : {}),
    path: `\\${[project.name, kind, ...names].join('\\')}`,
    url: address.join('/'),
  }
}
