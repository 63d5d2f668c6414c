import * as z from 'zod'
import { type ChangeResult, nullOnTrackerError, sendOnce, toOutcome } from '../services/change-result'
import { addMarker, findMarked, removeTextMarker } from '../services/parts/text-marker'
import { sendStep } from '../services/requests/graphql-mutations'
import type { CreationOutcome, MarkerRemoval, NewItem, TrackerItem } from '../tracker'
import type { Board } from './board/project-board'
import { Renewal, type ResolvedInput, resolveInput } from './issue-input'
import type { IssueParts } from './issue-reader'
import { fieldNames, mapIssue } from './map-issue'
import type { HasField } from './repository-client'
import { sendPlans } from './send-plans'
import { listIssueFieldSteps, NO_SUB_ISSUES } from './update-issues'
import { selectIssue, WireIssue } from './wire-issue'

/**
 * Sends the new issue with a marker in its body. A lost response does not say whether the issue was created, so then the newest issues are
 * searched for the marker, and it is never sent twice.
 */
export async function createIssue(
  item: NewItem,
  { signal, validateOnly = false }: { signal: AbortSignal; validateOnly?: boolean },
  parts: IssueParts,
): Promise<CreationOutcome> {
  const { graphql, reader, metadata } = parts
  const { fields } = item
  const options = { signal, renewal: new Renewal(metadata) }
  const resolved = await resolveInput({ fields, labels: [], type: item.type }, parts, options)
  if ('problem' in resolved) return { status: 'rejected', message: resolved.problem }
  if (resolved.state != null && resolved.state.closing !== null)
    return { status: 'rejected', message: 'A new issue is open.' }
  const { parentId } = item
  const parent = parentId === null ? null : (await reader.source.readWires([parentId], signal)).get(parentId)
  if (parent === undefined) throw reader.createNotFoundError(parentId!)
  if (parent !== null && !graphql.has('parent')) return { status: 'rejected', message: NO_SUB_ISSUES }
  if (validateOnly) return { status: 'created', id: null, item: null }
  const body = addMarker(fields[fieldNames.body], item.marker)
  const { repositoryId } = await metadata.get(signal)
  const input = { ...resolved.input, body, repositoryId, ...(parent ? { parentIssueId: parent.id } : {}) }
  const sending = mutateIssue('createIssue', input, parts, signal)
  const find = (verification: AbortSignal) => findNewestWith(item, verification, parts)
  const sent = await sendOnce(sending, find, { signal, limits: graphql.limits })
  if (sent.kind !== 'done') return toOutcome(sent)
  const created = await setFurtherValues(sent.data, resolved, parts, signal)
  return { status: 'created', id: sent.data.number, ...created }
}

/** The created issue with the values that take further requests. An earlier call may have left them out. */
async function setFurtherValues(
  wire: WireIssue,
  { onBoard, issueFields }: Pick<ResolvedInput, 'onBoard' | 'issueFields'>,
  parts: IssueParts,
  signal: AbortSignal,
): Promise<{ item: TrackerItem; problem?: string }> {
  const item = mapIssue(wire, parts.mapping)
  const missing = onBoard.filter(({ value }) => value !== null)
  const steps = listIssueFieldSteps(wire.id, issueFields)
  if (missing.length + steps.length === 0) return { item }
  const [result] = await sendPlans([{ wire, steps, onBoard: missing }], parts, signal)
  const latest = (await nullOnTrackerError(parts.reader.readItem(wire.number, signal))) ?? item
  if (result!.kind === 'done') return { item: latest }
  const reason = result!.kind === 'refused' ? result!.error.message : result!.message
  const place = steps.length > 0 ? 'further fields' : 'the project board'
  return { item: latest, problem: `Its values on ${place} may not be set: ${reason}` }
}

async function mutateIssue(
  name: 'createIssue' | 'updateIssue',
  input: Record<string, unknown>,
  { graphql, mapping, metadata }: IssueParts,
  signal: AbortSignal,
): Promise<ChangeResult<WireIssue>> {
  const board = mapping.board === null ? null : (await metadata.get(signal)).board
  const select = () => `issue { ${selectIssue(graphql.has, mapping.board !== null)} }`
  const shape = z.object({ issue: WireIssue }).transform(({ issue }) => withBoard(issue, board))
  return sendStep({ name, input, select }, shape, graphql, signal)
}

function withBoard(wire: WireIssue, board: Board | null): WireIssue {
  return board === null ? wire : { ...wire, board }
}

/** A list of GitHub cannot begin at a time of creation. */
async function findNewestWith(
  item: NewItem,
  signal: AbortSignal,
  { graphql, mapping, metadata }: IssueParts,
): Promise<WireIssue | null> {
  const fields = (has: HasField) => selectIssue(has, mapping.board !== null)
  const args = 'orderBy: { field: CREATED_AT, direction: DESC },'
  const board = mapping.board === null ? null : (await metadata.get(signal)).board
  const pages = graphql.readConnection({ name: 'issues', args, fields, shape: WireIssue }, signal)
  const found = await findMarked(pages, item, ({ body }) => body, graphql)
  return found && withBoard(found, board)
}

/** Sets the further values too, because the call that created the issue may have ended before. */
export async function findCreatedIssue(item: NewItem, signal: AbortSignal, parts: IssueParts) {
  const found = await findNewestWith(item, signal, parts)
  const hasFurther = Object.keys(item.fields).some((name) => !PROPERTIES.has(name)) || parts.mapping.board !== null
  if (found === null || !hasFurther) return found && mapIssue(found, parts.mapping)
  const options = { signal, renewal: new Renewal(parts.metadata) }
  const resolved = await resolveInput({ fields: item.fields, labels: [] }, parts, options)
  const further = 'problem' in resolved ? { onBoard: [], issueFields: [] } : resolved
  return (await setFurtherValues(found, further, parts, signal)).item
}

const PROPERTIES: ReadonlySet<string> = new Set(Object.values(fieldNames))

export function removeMarker(
  id: number,
  marker: string,
  signal: AbortSignal,
  parts: IssueParts,
): Promise<MarkerRemoval> {
  let issueId = ''
  return removeTextMarker(
    marker,
    async () => {
      const wire = (await parts.reader.source.readWires([id], signal)).get(id)
      issueId = wire?.id ?? ''
      return wire?.body
    },
    async (body) => {
      const sent = await mutateIssue('updateIssue', { id: issueId, body }, parts, signal)
      return sent.kind === 'done' ? { kind: 'done', data: mapIssue(sent.data, parts.mapping) } : sent
    },
  )
}
