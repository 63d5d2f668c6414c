import { bodyOf, type Call, type Endpoint } from '../http/call'
import type { Wiql } from '../wiql/ast'
import { queryField } from '../wiql/compare'
import { findItems, refuseSides } from '../wiql/items-query'
import { findLinks } from '../wiql/links-query'
import { parseWiql } from '../wiql/parse'
import { fieldUrl, itemUrl } from '../wire/addresses'
import { type Answer, jsonAnswer } from '../wire/answer'
import { badRequest, Refusal } from '../wire/refusal'
import { wireInstant } from '../wire/values'

const MOST_ROWS = 20_000

/** Queries in the tracker's query language: ids alone come back. */
export const queryEndpoints: readonly Endpoint[] = [{ method: 'POST', path: '_apis/wit/wiql', run: runQuery }]

function runQuery(call: Call): Answer {
  const { query: text } = bodyOf(call)
  if (typeof text !== 'string') throw badRequest('Value cannot be null. Parameter name: wiql')
  const query = parseWiql(text)
  const top = call.query.integer('$top', 1)
  const context = { ...call, timePrecision: call.query.flag('timePrecision') }
  const head = headOf(query, call)

  if (query.from === 'items') {
    refuseSides(query)
    const rows = cut(findItems(query, context), top)
    return jsonAnswer({
      queryType: 'flat',
      queryResultType: 'workItem',
      ...head,
      workItems: rows.map(({ id }) => ({ id, url: itemUrl(call.base, id) })),
    })
  }
  const reference = (id: number) => ({ id, url: itemUrl(call.base, id) })
  return jsonAnswer({
    queryType: query.mode === 'Recursive' ? 'tree' : 'oneHop',
    queryResultType: 'workItemLink',
    ...head,
    workItemRelations: cut(findLinks(query, context), top).map(({ rel, source, target }) =>
      source === null ? { target: reference(target) } : { rel, source: reference(source), target: reference(target) },
    ),
  })
}

function headOf(query: Wiql, { base, now }: Call): Record<string, unknown> {
  const column = (name: string) => {
    const { referenceName, name: shown } = queryField(name)
    return { referenceName, name: shown, url: fieldUrl(base, referenceName) }
  }
  return {
    asOf: wireInstant(new Date(now).toISOString()),
    columns: query.columns.map(({ name }) => column(name)),
    sortColumns: query.orderBy.map(({ field, descending }) => ({ field: column(field.name), descending })),
  }
}

function cut<Row>(rows: Row[], top: number | null): Row[] {
  if (top !== null && top <= MOST_ROWS) return rows.slice(0, top)
  if (rows.length <= MOST_ROWS) return rows
  throw new Refusal(
    400,
    'WorkItemTrackingQueryResultSizeLimitExceededException',
    `VS402337: The number of work items returned exceeds the size limit of ${MOST_ROWS}. Change the filter criteria or queries to reduce the number of work items returned.`,
  )
}
