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

const UPDATE_SERVER = 'Use a newer version of GitHub Enterprise Server.'
export const NO_SUB_ISSUES = `This server has no sub-issues, so an issue cannot have a parent. ${UPDATE_SERVER}`
const NO_DEPENDENCIES = `This server has no dependencies between issues. ${UPDATE_SERVER}`

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
  const ofLinks = [...(links?.remove ?? []), ...(links?.add ?? [])]
  const missing = ofLinks.map(({ kind }) => findMissingFeature(kind, graphql)).find((message) => message !== null)
  if (missing) return { kind: 'rejected', message: missing }
  const labels = (wire.labels?.nodes ?? []).map(({ name }) => name)
  const resolved = await resolveInput({ fields, labels }, { graphql, mapping, metadata }, signal)
  if ('problem' in resolved) return { kind: 'rejected', message: resolved.problem }
  const idOf = (number: number) => wires.get(number)!.id
  const steps: Step[] = [
    ...(Object.keys(resolved.input).length > 0
      ? [{ name: 'updateIssue', input: { id: wire.id, ...resolved.input } }]
      : []),
    ...listStateSteps(wire.id, reader.source.mapItem(wire), fields[fieldNames.state]),
    // An issue has one parent, so the old one is removed before the new one is added.
    ...(links?.remove ?? []).flatMap((link) => listLinkSteps('remove', link.kind, [wire.id, idOf(link.id)])),
    ...(links?.add ?? []).flatMap((link) => listLinkSteps('add', link.kind, [wire.id, idOf(link.id)])),
  ]
  if (steps.length === 0) return { kind: 'done', data: null }
  const variables = Object.fromEntries(steps.map(({ input }, i) => [`input${i}`, input]))
  const write = () => formatSteps(steps)
  return parseMutation(graphql.mutate(write, variables, signal), z.unknown())
}

/** What an older server lacks for a link; null if nothing. Reading the issues has shown which fields it has. */
function findMissingFeature(kind: ItemLink['kind'], { has }: GraphqlClient): string | null {
  if (kind === 'parent' || kind === 'child') return has('parent') ? null : NO_SUB_ISSUES
  return has('blockedBy') ? null : NO_DEPENDENCIES
}

/** One of the mutations of a request, which GitHub runs one after another. */
interface Step {
  name: string
  input: Record<string, unknown>
}

function formatSteps(steps: readonly Step[]): string {
  const declarations = steps.map(({ name }, i) => `$input${i}: ${name[0]!.toUpperCase()}${name.slice(1)}Input!`)
  const mutations = steps.map(({ name }, i) => `step${i}: ${name}(input: $input${i}) { clientMutationId }`)
  return `mutation(${declarations.join(', ')}) { ${mutations.join(' ')} }`
}

function listStateSteps(issueId: string, current: TrackerItem, state: FieldValue | undefined): Step[] {
  if (state === undefined || state === current.state) return []
  if (state === STATES[0]!.name) return [{ name: 'reopenIssue', input: { issueId } }]
  const stateReason = state === STATES[1]!.name ? 'COMPLETED' : 'NOT_PLANNED'
  return [{ name: 'closeIssue', input: { issueId, stateReason } }]
}

function listLinkSteps(action: 'add' | 'remove', kind: ItemLink['kind'], [id, otherId]: [string, string]): Step[] {
  if (kind === 'parent' || kind === 'child') {
    const [issueId, subIssueId] = kind === 'parent' ? [otherId, id] : [id, otherId]
    const replacing = action === 'add' ? { replaceParent: true } : {}
    return [{ name: `${action}SubIssue`, input: { issueId, subIssueId, ...replacing } }]
  }
  if (kind !== 'predecessor' && kind !== 'successor') return []
  const [issueId, blockingIssueId] = kind === 'predecessor' ? [id, otherId] : [otherId, id]
  return [{ name: `${action}BlockedBy`, input: { issueId, blockingIssueId } }]
}

function hasValue(item: TrackerItem, name: string, value: FieldValue): boolean {
  if (name === fieldNames.assignee) return isSameValue(item.assignedTo?.uniqueName, value, 'person')
  return isSameValue(item.fields[name], value, name === fieldNames.labels ? 'tags' : 'other')
}
