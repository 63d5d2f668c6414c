import type { ItemChange } from '../../../src/tracker'
import { errorBody, link, never, openStubbed, type WireItemParts, wireItem } from './fixtures'
import type { Behaviour, Reply, StubRequest } from './stub-server'

interface Operation {
  op: string
  path: string
  value?: unknown
}

/** Items that can be changed through the API, one by one or in batches, with the checks and rules of a tracker. */
export function boardOf(parts: readonly WireItemParts[]) {
  const items = new Map(parts.map((part) => [part.id, wireItem(part)]))

  /** The response to a patch. A rule rejects the state `Forbidden`. */
  function patched(id: number, operations: Operation[]): Reply {
    const item = items.get(id)
    if (!item)
      return { status: 404, json: errorBody('WorkItemUnauthorizedAccessException', `TF401232: no item ${id}.`) }
    const [test, ...rest] = operations
    if (test?.op !== 'test' || test.path !== '/rev')
      return { status: 500, json: { message: 'no test of the revision' } }
    if (test.value !== item.rev) {
      const message = `VS403351: Test Operation for path /rev failed, value ${item.rev} was not equal.`
      return { status: 412, json: errorBody('TestPatchOperationFailedException', message) }
    }
    if (rest.some(({ value }) => value === 'Forbidden')) {
      return { status: 400, json: errorBody('RuleValidationException', 'TF401320: Rule Error for field State.') }
    }
    const fields: Record<string, unknown> = { ...item.fields }
    for (const { op, path, value } of rest) {
      if (op === 'remove') delete fields[path.replace('/fields/', '')]
      else fields[path.replace('/fields/', '')] = value
    }
    items.set(id, { ...item, rev: item.rev + 1, fields: fields as typeof item.fields })
    const { relations, ...shown } = items.get(id)!
    return { json: shown }
  }

  function answer({ method, path, body }: StubRequest): Behaviour | null {
    if (path === '/_apis/wit/workitemsbatch') {
      const value = body.ids.flatMap((id: number) => items.get(id) ?? [])
      return { json: { count: value.length, value } }
    }
    if (method === 'PATCH' && path === '/_apis/wit/$batch') return { json: bulkOf(body.map(entryOf)) }
    const [, id] = /^\/_apis\/wit\/workitems\/(\d+)$/.exec(path) ?? []
    return method === 'PATCH' && id !== undefined ? patched(Number(id), body) : null
  }

  function entryOf(request: { uri: string; body: Operation[] }) {
    const { status = 200, json } = patched(Number(/workitems\/(\d+)\?/.exec(request.uri)![1]), request.body)
    return { code: status, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(json) }
  }

  return {
    items,
    answer,
    /** A change by another user. */
    change(id: number, fields: Record<string, unknown>) {
      const item = items.get(id)!
      items.set(id, { ...item, rev: item.rev + 1, fields: { ...item.fields, ...fields } })
    },
  }
}

export type Board = ReturnType<typeof boardOf>

export const bulkOf = (value: unknown[]) => ({ count: value.length, value })

export const isBulk = (request: StubRequest) => request.path === '/_apis/wit/$batch'
export const isPatch = (request: StubRequest) => request.method === 'PATCH' && !isBulk(request)

const seven = { id: 7, rev: 3, relations: [link('Hierarchy-Reverse', 2)] }
const eight = { id: 8, rev: 1 }
const nine = { id: 9, rev: 5 }

export const close = (id: number, rev: number): ItemChange => ({ id, rev, fields: { 'System.State': 'Closed' } })
export const forbid = (id: number, rev: number): ItemChange => ({ id, rev, fields: { 'System.State': 'Forbidden' } })

/** A tracker on a board; `first` can respond instead. */
export async function openBoard(
  first: (request: StubRequest, board: Board) => Behaviour | null = () => null,
  settings: Parameters<typeof openStubbed>[1] = {},
) {
  const board = boardOf([seven, eight, nine])
  const stubbed = await openStubbed((request) => first(request, board) ?? board.answer(request), settings)
  const update = (...changes: ItemChange[]) => stubbed.tracker.updateItems(changes, { signal: never })
  return {
    ...stubbed,
    board,
    update,
    bulks: () => stubbed.requests.filter(isBulk),
    patches: () => stubbed.requests.filter(isPatch),
  }
}
