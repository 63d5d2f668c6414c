import type { ErrorCode } from '../../kernel'
import { parseJson } from '../../kernel/json'
import { equalsIgnoringCase } from '../../kernel/text/text'
import type { HttpRequest, HttpResponse } from '../services/requests/http-client'
import type { ItemChange, LinkChanges, Rejection, TagChanges } from '../tracker'
import { fieldNames, parsePerson, parseTags } from './field-values'
import { findRelationIndex, toRelation } from './relations'
import { type ErrorBody, parseErrorBody } from './response-error'
import { WireItem, WireList, type WireRelation } from './wire-schemas'

/** A way to send changes: a batch in one request, or a single change. */
export interface UpdateMethod {
  /** Errors that concern the sender and not what was sent. */
  senderErrors: ReadonlySet<ErrorCode>
  createRequest(patches: readonly ItemPatch[]): HttpRequest
  /** The result of each change, in their order. */
  parseResults(response: HttpResponse, changes: readonly ItemChange[]): ChangeResult[]
}

/** The patch document of an item. */
export interface ItemPatch {
  id: number
  operations: readonly PatchOperation[]
}

/** What the tracker's response to one change means. */
export type ChangeResult =
  /** `wire` is the item after the change; null if the response does not contain it. */
  | { kind: 'applied'; wire: WireItem | null }
  | { kind: 'conflict'; message: string }
  | ({ kind: 'rejected' } & Rejection)
  /** Not processed for a reason outside this change, so it can be sent separately. */
  | { kind: 'notProcessed'; message: string }
  /** The tracker failed. Only reading the item shows whether the change was applied. */
  | { kind: 'failed'; message: string }

const SENDER_ERRORS: ErrorCode[] = ['tracker_token', 'tracker_throttled', 'tracker_unavailable', 'tracker_timeout']
export const PATCH_CONTENT_TYPE = 'application/json-patch+json'

/** Neither the outer request nor the inner ones name a project. */
export const batchUpdate: UpdateMethod = {
  senderErrors: new Set([...SENDER_ERRORS, 'tracker_forbidden']),
  createRequest: (patches) => ({
    method: 'PATCH',
    path: '/_apis/wit/$batch',
    body: patches.map(({ id, operations }) => ({
      method: 'PATCH',
      uri: `${buildItemPath(id)}?$expand=relations&api-version=7.1`,
      headers: { 'Content-Type': PATCH_CONTENT_TYPE },
      body: operations,
    })),
  }),
  parseResults(response, changes) {
    const list = WireList.safeParse(response.json)
    if (response.status >= 300 || !list.success) return changes.map(() => createBatchResult(response))
    const results = changes.map((_, i) => parseBatchEntry(list.data.value[i]))
    // A rejection names no item, so only the order assigns it. If one entry is out of order, none can be trusted.
    const isOutOfOrder = results.some((result, i) => isForOtherItem(result, changes[i]!))
    return isOutOfOrder
      ? changes.map(() => ({ kind: 'failed', message: 'The tracker returned the results out of order.' }))
      : results
  },
}

/** A 403 concerns the item here: the owner of the token has no permission in its area. */
export const singleUpdate: UpdateMethod = {
  senderErrors: new Set(SENDER_ERRORS),
  createRequest: ([patch]) => ({
    method: 'PATCH',
    path: buildItemPath(patch!.id),
    query: { $expand: 'relations' },
    body: patch!.operations,
    contentType: PATCH_CONTENT_TYPE,
  }),
  parseResults: (response) => [parseChangeResult(response.status, response.json)],
}

function buildItemPath(id: number): string {
  return `/_apis/wit/workitems/${id}`
}

interface PatchOperation {
  op: 'test' | 'add' | 'replace' | 'remove'
  path: string
  value?: string | number | boolean | WireRelation
}

/**
 * Creates the patch document of a change. Its first operation makes the tracker reject any other revision. `present` is the item as it is now;
 * null if it was not read.
 */
export function createPatch(
  { rev, fields, links, tags }: ItemChange,
  { present, base }: { present: WireItem | null; base: string },
): PatchOperation[] {
  return [
    { op: 'test', path: '/rev', value: rev },
    ...Object.entries(fields).map(([name, value]) => createPatchOperation(name, value)),
    ...(tags ? createTagOperations(tags, parseTags(present?.fields[fieldNames.tags])) : []),
    ...(links ? createRelationOperations(links, present?.relations ?? [], base) : []),
  ]
}

/** Tags to add are merged with those that the item has; a removal sends all that remain. The case of tags does not count. */
function createTagOperations({ add, remove }: TagChanges, present: readonly string[]): PatchOperation[] {
  const has = (list: readonly string[], tag: string) => list.some((one) => equalsIgnoringCase(one.trim(), tag.trim()))
  const missing = add.filter((tag) => !has(present, tag))
  const remaining = present.filter((tag) => !has(remove, tag))
  if (remaining.length === present.length)
    return missing.length === 0 ? [] : [{ op: 'add', path: TAGS_PATH, value: missing.join('; ') }]
  return [createPatchOperation(fieldNames.tags, [...remaining, ...missing].join('; ') || null)]
}

const TAGS_PATH = `/fields/${fieldNames.tags}`

/** Removals are first, so that a new parent can replace one. They begin at the end, because each moves the relations after it. */
function createRelationOperations(
  { add, remove }: LinkChanges,
  relations: readonly WireRelation[],
  base: string,
): PatchOperation[] {
  const indexes = remove.map((link) => findRelationIndex(relations, link)).filter((index) => index >= 0)
  const missing = add.filter((link) => findRelationIndex(relations, link) < 0)
  return [
    ...indexes.sort((a, b) => b - a).map((index) => ({ op: 'remove' as const, path: `/relations/${index}` })),
    ...missing.map((link) => ({ op: 'add' as const, path: '/relations/-', value: toRelation(link, base) })),
  ]
}

/** `add` sets a field whether or not it has a value, but it would merge tags. `remove` clears a field and carries no value. */
export function createPatchOperation(name: string, value: string | number | boolean | null): PatchOperation {
  const path = `/fields/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
  if (value === null) return { op: 'remove', path }
  if (name === fieldNames.tags) return { op: 'replace', path, value }
  // An account belongs to one person; a display name may belong to several.
  const account = name === fieldNames.assignedTo ? parsePerson(value)?.uniqueName : null
  return { op: 'add', path, value: account ?? value }
}

/** A server that does not support batches rejects them completely. One that failed may have applied a part of the batch. */
function createBatchResult({ status }: HttpResponse): ChangeResult {
  const message = `The tracker did not accept the changes as a batch (HTTP ${status}).`
  return { kind: status >= 400 && status < 500 ? 'notProcessed' : 'failed', message }
}

function parseBatchEntry(entry: unknown): ChangeResult {
  const { code, body } = (entry ?? {}) as { code?: unknown; body?: unknown }
  return typeof code === 'number'
    ? parseChangeResult(code, body)
    : { kind: 'failed', message: 'The tracker returned no result for this change.' }
}

function isForOtherItem(result: ChangeResult, change: ItemChange): boolean {
  return result.kind === 'applied' && result.wire !== null && result.wire.id !== change.id
}

const BATCH_FAILED_CODE = 'TF401321'
const STALE_REVISION_CODES = new Set(['VS403351', 'TF26071'])
const STALE_REVISION_TYPES = new Set(['TestPatchOperationFailedException', 'WorkItemRevisionMismatchException'])

/** Interprets the status and body of a single patch, or of a batch entry, whose body may be JSON in a string. */
export function parseChangeResult(status: number, body: unknown): ChangeResult {
  const content = typeof body === 'string' ? (parseJson(body) ?? { message: body }) : body
  if (status >= 200 && status < 300) {
    const item = WireItem.safeParse(content)
    return { kind: 'applied', wire: item.success ? item.data : null }
  }
  const error = parseErrorBody(content)
  const message = error.text || `The tracker answered HTTP ${status}.`
  if (error.code === BATCH_FAILED_CODE || status === 429) return { kind: 'notProcessed', message }
  if (status >= 500) return { kind: 'failed', message }
  if (status === 412 || isStaleRevision(error)) return { kind: 'conflict', message }
  const code = findRejectionCode(status, content)
  const { fields } = error
  return { kind: 'rejected', message, ...(code && { code }), ...(fields.length > 0 && { fields }) }
}

/** The error of a rejection whose reason is not in the values. Another server than the tracker answers 404 without its JSON. */
function findRejectionCode(status: number, content: unknown): Rejection['code'] {
  if (status === 403) return 'tracker_forbidden'
  if (status !== 404) return undefined
  return content === undefined ? 'tracker_answer' : 'not_found'
}

/** 409 has other causes too, so the error code or type decides. */
function isStaleRevision(error: ErrorBody): boolean {
  return STALE_REVISION_CODES.has(error.code) || STALE_REVISION_TYPES.has(error.typeKey)
}
