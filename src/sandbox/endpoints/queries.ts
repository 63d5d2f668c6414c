import { equalsIgnoringCase } from '../../kernel/text/text'
import type { EndpointCall } from '../http/endpoint'
import type { StoredQuery } from '../state/state'
import { parseWiql } from '../wiql/parse-wiql'
import { createBadRequestError, WireError } from '../wire/response'
import { answerQuery } from './wiql'

const MAX_DEPTH = 2
/** In the order of their numbers, which some clients send. */
const EXPAND_VALUES: readonly string[] = ['none', 'wiql', 'clauses', 'all', 'minimal']

/** The roots with what is below them, as deep as requested. */
export function listQueries(call: EndpointCall) {
  return call.model.queries.map((root) => toQueryJson(root, root.name, readDepth(call), call))
}

/** A query or a folder, by its ID or its path. */
export function getQuery(call: EndpointCall) {
  const { query, path } = findQuery(call.params.query!, call)
  return toQueryJson(query, path, readDepth(call), call)
}

export function runSavedQuery(call: EndpointCall) {
  const { query } = findQuery(call.params.id!, call)
  if (query.wiql === undefined)
    throw createBadRequestError(`TF401281: '${query.name}' is a folder of queries, which cannot be run.`)
  return answerQuery(query.wiql, call)
}

function readDepth({ query }: EndpointCall): number {
  const depth = query.integer('$depth') ?? 0
  if (depth > MAX_DEPTH)
    throw createBadRequestError(`The value '${depth}' is not valid for $depth. The largest is ${MAX_DEPTH}.`)
  return depth
}

function findQuery(name: string, { model }: EndpointCall): { query: StoredQuery; path: string } {
  for (const root of model.queries) {
    for (const placed of listPlaced(root, root.name))
      if ([placed.path, placed.query.id].some((known) => equalsIgnoringCase(known, name))) return placed
  }
  throw new WireError(
    404,
    'QueryItemNotFoundException',
    `TF401243: The query ${name} does not exist, or you do not have permission to read it.`,
  )
}

function* listPlaced(query: StoredQuery, path: string): Generator<{ query: StoredQuery; path: string }> {
  yield { query, path }
  for (const child of query.children ?? []) yield* listPlaced(child, `${path}/${child.name}`)
}

function toQueryJson(query: StoredQuery, path: string, depth: number, call: EndpointCall): Record<string, unknown> {
  const { model, base, web } = call
  const { id, name, wiql, children } = query
  const expand = call.query.text('$expand')?.toLowerCase() ?? 'none'
  const isShown = ['wiql', 'clauses', 'all'].includes(EXPAND_VALUES[Number(expand)] ?? expand)
  return {
    id,
    name,
    path,
    isPublic: !path.startsWith('My Queries'),
    ...(wiql === undefined
      ? {
          isFolder: true,
          hasChildren: (children ?? []).length > 0,
          ...(depth > 0 && {
            children: (children ?? []).map((child) => toQueryJson(child, `${path}/${child.name}`, depth - 1, call)),
          }),
        }
      : { queryType: parseWiql(wiql).from === 'items' ? 'flat' : 'tree', ...(isShown && { wiql }) }),
    _links: { html: { href: `${web}/${encodeURIComponent(model.project.name)}/_queries/query/${id}/` } },
    url: `${base}/${model.project.id}/_apis/wit/queries/${id}`,
  }
}
