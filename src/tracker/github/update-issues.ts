import * as z from 'zod'
import type { ChangeResult } from '../services/change-result'
import { type FieldValue, type ItemWriter, isSameValue, updateAfterReading } from '../services/update-after-reading'
import type { ChangeOutcome, ItemChange, ItemLink, ReadOptions, TrackerItem } from '../tracker'
import type { GraphqlClient } from './graphql-client'
import { resolveInput } from './issue-input'
import type { IssueReader } from './issue-reader'
import { fieldNames, type IssueMapping, STATES } from './map-issue'
import { parseMutation } from './mutation-result'
import type { RepositoryMetadata } from './repository-metadata'
import type { WireIssue } from './wire-issue'

export interface WriteParts {
  graphql: GraphqlClient
  reader: IssueReader
  mapping: IssueMapping
  metadata: RepositoryMetadata
}

/** Sends the changes one after another, as GitHub asks of clients. GitHub does not test revisions. */
export function updateIssues(
  changes: readonly ItemChange[],
  options: ReadOptions,
  parts: WriteParts,
): Promise<ChangeOutcome[]> {
  const writer: ItemWriter<WireIssue> = {
    reader: parts.reader,
    limits: parts.graphql.limits,
    send: (change, wires, signal) => sendChange(change, wires, parts, signal),
    hasValue,
  }
  return updateAfterReading(changes, options, writer)
}

async function sendChange(
  { id, fields, links }: ItemChange,
  wires: ReadonlyMap<number, WireIssue>,
  { graphql, reader, mapping, metadata }: WriteParts,
  signal: AbortSignal,
): Promise<ChangeResult<unknown>> {
  const wire = wires.get(id)!
  const labels = (wire.labels?.nodes ?? []).map(({ name }) => name)
  const resolved = await resolveInput({ fields, labels }, { graphql, mapping, metadata }, signal)
  if ('problem' in resolved) return { kind: 'rejected', message: resolved.problem }
  const steps = new Steps()
  if (Object.keys(resolved.input).length > 0) steps.add('updateIssue', { id: wire.id, ...resolved.input })
  addStateStep(steps, wire.id, reader.source.mapItem(wire), fields[fieldNames.state])
  // An issue has one parent, so the old one is removed before the new one is added.
  for (const action of ['remove', 'add'] as const) {
    for (const link of links?.[action] ?? [])
      addLinkStep(steps, action, { kind: link.kind, id: wire.id, otherId: wires.get(link.id)!.id })
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

function addStateStep(steps: Steps, issueId: string, current: TrackerItem, state: FieldValue | undefined): void {
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

function hasValue(item: TrackerItem, name: string, value: FieldValue): boolean {
  if (name === fieldNames.assignee) return isSameValue(item.assignedTo?.uniqueName, value, 'person')
  return isSameValue(item.fields[name], value, name === fieldNames.labels ? 'tags' : 'other')
}
