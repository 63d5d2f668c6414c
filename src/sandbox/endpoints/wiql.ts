import { type Endpoint, type EndpointCall, parseBodyObject } from '../http/endpoint'
import { findQueryField } from '../wiql/field-test'
import { findItems, rejectLinkSides } from '../wiql/items-query'
import { findLinks } from '../wiql/links-query'
import type { Wiql } from '../wiql/parse-wiql'
import { parseWiql } from '../wiql/parse-wiql'
import { toWireInstant } from '../wire/item-json'
import { createBadRequestError, createJsonResponse, WireError, type WireResponse } from '../wire/response'
import { buildFieldUrl, buildItemUrl } from '../wire/urls'

const MAX_ROWS = 20_000

/** Queries in WIQL, the tracker's query language. The answer has IDs only. */
export const queryEndpoints: readonly Endpoint[] = [{ method: 'POST', path: '_apis/wit/wiql', run: runQuery }]

function runQuery(call: EndpointCall): WireResponse {
  const { query: text } = parseBodyObject(call)
  if (typeof text !== 'string') throw createBadRequestError('Value cannot be null. Parameter name: wiql')
  const query = parseWiql(text)
  const top = call.query.integer('$top', 1)
  const context = { ...call, timePrecision: call.query.flag('timePrecision') }
  const head = headOf(query, call)

  if (query.from === 'items') {
    rejectLinkSides(query)
    const rows = cut(findItems(query, context), top)
    return createJsonResponse({
      queryType: 'flat',
      queryResultType: 'workItem',
      ...head,
      workItems: rows.map(({ id }) => ({ id, url: buildItemUrl(call.base, id) })),
    })
  }
  const reference = (id: number) => ({ id, url: buildItemUrl(call.base, id) })
  return createJsonResponse({
    queryType: query.mode === 'Recursive' ? 'tree' : 'oneHop',
    queryResultType: 'workItemLink',
    ...head,
    workItemRelations: cut(findLinks(query, context), top).map(({ rel, source, target }) =>
      source === null ? { target: reference(target) } : { rel, source: reference(source), target: reference(target) },
    ),
  })
}

function headOf(query: Wiql, { base, now }: EndpointCall): Record<string, unknown> {
  const column = (name: string) => {
    const { referenceName, name: shown } = findQueryField(name)
    return { referenceName, name: shown, url: buildFieldUrl(base, referenceName) }
  }
  return {
    asOf: toWireInstant(new Date(now).toISOString()),
    columns: query.columns.map(({ name }) => column(name)),
    sortColumns: query.orderBy.map(({ field, descending }) => ({ field: column(field.name), descending })),
  }
}

function cut<Row>(rows: Row[], top: number | null): Row[] {
  if (top !== null && top <= MAX_ROWS) return rows.slice(0, top)
  if (rows.length <= MAX_ROWS) return rows
  throw new WireError(
    400,
    'WorkItemTrackingQueryResultSizeLimitExceededException',
    `VS402337: The number of work items returned exceeds the size limit of ${MAX_ROWS}. Change the filter criteria or queries to reduce the number of work items returned.`,
  )
}
