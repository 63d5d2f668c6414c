import { type EndpointCall, parseBodyObject } from '../http/endpoint'
import { findItems } from '../wiql/find-items'
import { findLinks } from '../wiql/find-links'
import { parseWiql } from '../wiql/parse-wiql'
import { findQueryField } from '../wiql/predicates'
import { toWireInstant } from '../wire/item-json'
import { createBadRequestError, WireError } from '../wire/response'
import { buildFieldUrl, buildItemUrl } from '../wire/urls'

const MAX_ROWS = 20_000

/** Runs a query in WIQL, the tracker's query language. The answer has IDs only. */
export function runQuery(call: EndpointCall) {
  const { query: text } = parseBodyObject(call)
  if (typeof text !== 'string') throw createBadRequestError('Value cannot be null. Parameter name: wiql')
  return answerQuery(text, call)
}

/** The result of a query as the tracker sends it. */
export function answerQuery(text: string, call: EndpointCall) {
  const query = parseWiql(text)
  const context = { ...call, timePrecision: call.query.flag('timePrecision') }
  const column = (name: string) => {
    const { referenceName, name: shown } = findQueryField(name)
    return { referenceName, name: shown, url: buildFieldUrl(call.base, referenceName) }
  }
  const head = {
    asOf: toWireInstant(new Date(call.now).toISOString()),
    columns: query.columns.map(({ name }) => column(name)),
    sortColumns: query.orderBy.map(({ field, descending }) => ({ field: column(field.name), descending })),
  }
  const reference = (id: number) => ({ id, url: buildItemUrl(call.base, id) })
  if (query.from === 'items') {
    const workItems = limitRows(findItems(query, context), call).map(({ id }) => reference(id))
    return { queryType: 'flat', queryResultType: 'workItem', ...head, workItems }
  }
  return {
    queryType: query.mode === 'Recursive' ? 'tree' : 'oneHop',
    queryResultType: 'workItemLink',
    ...head,
    workItemRelations: limitRows(findLinks(query, context), call).map(({ rel, source, target }) =>
      source === null ? { target: reference(target) } : { rel, source: reference(source), target: reference(target) },
    ),
  }
}

function limitRows<Row>(rows: Row[], call: EndpointCall): Row[] {
  const top = call.query.integer('$top', 1)
  if (top !== null && top <= MAX_ROWS) return rows.slice(0, top)
  if (rows.length <= MAX_ROWS) return rows
  throw new WireError(
    400,
    'WorkItemTrackingQueryResultSizeLimitExceededException',
    `VS402337: The number of work items returned exceeds the size limit of ${MAX_ROWS}. Change the filter criteria or queries to reduce the number of work items returned.`,
  )
}
