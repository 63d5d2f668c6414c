import * as z from 'zod'
import { chunksOf } from '../../kernel/chunks'
import { TrackerError } from '../services/tracker-error'
import { createVerificationSignal } from '../services/verification-signal'
import type { ChangeOutcome, ItemChange, ItemLink, ReadOptions, TrackerItem } from '../tracker'
import { isSameText } from './comments'
import type { GraphqlClient } from './graphql-client'
import { type ResolvedInput, resolveInput } from './issue-input'
import type { IssueReader } from './issue-reader'
import { fieldNames, mapIssue, STATES } from './map-issue'
import { type MutationResult, parseMutation } from './mutation-result'
import type { RepositoryMetadata } from './repository-metadata'
import type { WireIssue } from './wire-issue'

export interface WriteParts {
  graphql: GraphqlClient
  reader: IssueReader
  metadata: RepositoryMetadata
}

const BATCH_SIZE = 100

/**
 * Sends the changes one after another, as GitHub asks of clients. GitHub does not test revisions, so each issue is compared with the
 * revision of its change in the request just before. Throws only before the first change is sent.
 */
export async function updateIssues(
  changes: readonly ItemChange[],
  { signal, onProgress }: ReadOptions,
  parts: WriteParts,
): Promise<ChangeOutcome[]> {
  const outcomes: ChangeOutcome[] = []
  let stopReason: string | null = null
  let hasBegun = false
  for (const chunk of chunksOf(changes, BATCH_SIZE)) {
    const others = chunk.flatMap(({ links }) => [...(links?.add ?? []), ...(links?.remove ?? [])].map(({ id }) => id))
    const toRead = [...new Set([...chunk.map(({ id }) => id), ...others])]
    const wires = await parts.reader.readWireIssues(toRead, signal).catch((error: unknown) => {
      if (!hasBegun || !(error instanceof TrackerError)) throw error
      stopReason ??= `Not sent after: ${error.message}`
      return new Map<number, WireIssue>()
    })
    const sent: { change: ItemChange; result: MutationResult<unknown> }[] = []
    const settled = new Map<ItemChange, ChangeOutcome>()
    for (const change of chunk) {
      const { id } = change
      if (signal.aborted) stopReason ??= 'Interrupted before it was sent.'
      if (stopReason !== null) {
        settled.set(change, { id, status: 'notAttempted', message: stopReason })
        continue
      }
      const result = await sendChange(change, wires, parts, signal)
      if ('status' in result) settled.set(change, result)
      else if (result.kind === 'refused') {
        if (!hasBegun && !signal.aborted) throw result.error
        stopReason = signal.aborted ? 'Interrupted before it was sent.' : `Not sent after: ${result.error.message}`
        settled.set(change, { id, status: 'notAttempted', message: stopReason })
      } else {
        hasBegun = true
        sent.push({ change, result })
        if (result.kind === 'unknown') stopReason = `Not sent after: ${result.message}`
      }
    }
    const verification = createVerificationSignal(signal, parts.graphql.limits)
    const now = await readAfterwards(
      sent.map(({ change }) => change.id),
      parts.reader,
      verification,
    )
    for (const { change, result } of sent) {
      const wire = now.get(change.id)
      settled.set(change, createOutcome(change, result, wire && mapIssue(wire, parts.reader.mapping)))
    }
    outcomes.push(...chunk.map((change) => settled.get(change)!))
    onProgress?.(outcomes.length, changes.length)
  }
  return outcomes
}

async function readAfterwards(
  ids: number[],
  reader: IssueReader,
  signal: AbortSignal,
): Promise<Map<number, WireIssue>> {
  if (ids.length === 0) return new Map()
  return reader.readWireIssues(ids, signal).catch((error: unknown) => {
    if (error instanceof TrackerError) return new Map<number, WireIssue>()
    throw error
  })
}

async function sendChange(
  change: ItemChange,
  wires: ReadonlyMap<number, WireIssue>,
  { graphql, reader, metadata }: WriteParts,
  signal: AbortSignal,
): Promise<ChangeOutcome | MutationResult<unknown>> {
  const { id, rev, fields } = change
  const wire = wires.get(id)
  if (wire === undefined)
    return { id, status: 'rejected', message: `Issue ${id} does not exist, or the token may not read it.` }
  const current = mapIssue(wire, reader.mapping)
  if (current.rev !== rev) {
    const message = `It has changed since: it was last updated at ${current.changedAt}.`
    return { id, status: 'conflict', message }
  }
  const labels = (wire.labels?.nodes ?? []).map(({ name }) => name)
  const resolved = await resolveInput({ fields, labels }, { graphql, mapping: reader.mapping, metadata }, signal).catch(
    (error: unknown): ResolvedInput | MutationResult<unknown> => {
      if (error instanceof TrackerError) return { kind: 'refused', error }
      throw error
    },
  )
  if ('kind' in resolved) return resolved
  if ('problem' in resolved) return { id, status: 'rejected', message: resolved.problem }
  const steps = new Steps()
  if (Object.keys(resolved.input).length > 0) steps.add('updateIssue', { id: wire.id, ...resolved.input })
  addStateStep(steps, wire.id, current, fields[fieldNames.state])
  // An issue has one parent, so the old one is removed before the new one is added.
  for (const action of ['remove', 'add'] as const) {
    for (const link of change.links?.[action] ?? []) {
      const other = wires.get(link.id)
      if (other === undefined)
        return { id, status: 'rejected', message: `Issue ${link.id} does not exist, or the token may not read it.` }
      addLinkStep(steps, action, { kind: link.kind, id: wire.id, otherId: other.id })
    }
  }
  return parseMutation(graphql.mutate(steps.text, steps.variables, signal), z.unknown())
}

/** The mutations of one request, which GitHub runs one after another. */
class Steps {
  readonly variables: Record<string, unknown> = {}
  readonly #parts: { declaration: string; text: string }[] = []

  add(name: string, input: Record<string, unknown>): void {
    const variable = `input${this.#parts.length}`
    const type = `${name[0]!.toUpperCase()}${name.slice(1)}Input!`
    this.variables[variable] = input
    this.#parts.push({
      declaration: `$${variable}: ${type}`,
      text: `step${this.#parts.length}: ${name}(input: $${variable}) { clientMutationId }`,
    })
  }

  get text(): string {
    const declarations = this.#parts.map(({ declaration }) => declaration).join(', ')
    return `mutation(${declarations}) { ${this.#parts.map(({ text }) => text).join(' ')} }`
  }
}

function addStateStep(
  steps: Steps,
  issueId: string,
  current: TrackerItem,
  state: ItemChange['fields'][string] | undefined,
): void {
  if (state === undefined || state === current.state) return
  if (state === STATES[0]!.name) steps.add('reopenIssue', { issueId })
  else steps.add('closeIssue', { issueId, stateReason: state === STATES[1]!.name ? 'COMPLETED' : 'NOT_PLANNED' })
}

function addLinkStep(
  steps: Steps,
  action: 'add' | 'remove',
  { kind, id, otherId }: { kind: ItemLink['kind']; id: string; otherId: string },
): void {
  const isAdd = action === 'add'
  if (kind === 'parent' || kind === 'child') {
    const [issueId, subIssueId] = kind === 'parent' ? [otherId, id] : [id, otherId]
    steps.add(isAdd ? 'addSubIssue' : 'removeSubIssue', {
      issueId,
      subIssueId,
      ...(isAdd ? { replaceParent: true } : {}),
    })
  } else if (kind === 'predecessor' || kind === 'successor') {
    const [issueId, blockingIssueId] = kind === 'predecessor' ? [id, otherId] : [otherId, id]
    steps.add(isAdd ? 'addBlockedBy' : 'removeBlockedBy', { issueId, blockingIssueId })
  }
}

/** After a lost response, the values of the issue show whether the change was applied. */
function createOutcome(
  change: ItemChange,
  result: MutationResult<unknown>,
  item: TrackerItem | undefined,
): ChangeOutcome {
  const { id } = change
  if (result.kind === 'rejected') return { id, status: 'rejected', message: result.message }
  if (item === undefined) {
    const message =
      result.kind === 'unknown'
        ? result.message
        : 'The change was accepted, but the issue could not be read afterwards.'
    return { id, status: 'unknown', message }
  }
  if (result.kind === 'done' || isApplied(change, item)) return { id, status: 'applied', item }
  const message = result.kind === 'unknown' ? result.message : ''
  return { id, status: 'unknown', message: `${message} The issue does not have all of the new values.`.trim() }
}

function isApplied({ fields, links }: ItemChange, item: TrackerItem): boolean {
  const hasLink = ({ kind, id }: ItemLink) =>
    ({
      parent: item.parentId === id,
      // The links of a child are on the other issue.
      child: false,
      predecessor: item.predecessorIds.includes(id),
      successor: item.successorIds.includes(id),
      related: false,
    })[kind]
  return (
    Object.entries(fields).every(([name, value]) => hasValue(item, name, value)) &&
    (links?.add ?? []).every(hasLink) &&
    !(links?.remove ?? []).some((link) => link.kind === 'child' || hasLink(link))
  )
}

function hasValue(item: TrackerItem, name: string, value: string | number | boolean | null): boolean {
  const found = name === fieldNames.assignee ? item.assignedTo?.uniqueName : item.fields[name]
  if (value === null || value === '') return found === undefined || found === null || found === ''
  if (name === fieldNames.labels) return normalizeTags(String(found ?? '')) === normalizeTags(String(value))
  if (name === fieldNames.assignee) return String(found).toLowerCase() === String(value).replace(/^@/, '').toLowerCase()
  return found === value || isSameText(String(found ?? ''), String(value))
}

function normalizeTags(text: string): string {
  return text
    .toLowerCase()
    .split(';')
    .map((tag) => tag.trim())
    .filter(Boolean)
    .sort()
    .join(';')
}
