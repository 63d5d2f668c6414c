import type { Step } from '../services/requests/graphql-mutations'
import { type FieldValue, type ItemWriter, isSameValue, updateAfterReading } from '../services/update-after-reading'
import type { ChangeOutcome, ItemChange, ItemLink, ReadOptions, TrackerItem } from '../tracker'
import { resolveInput } from './issue-input'
import type { IssueParts } from './issue-reader'
import { fieldNames, STATES } from './map-issue'
import type { RepositoryClient } from './repository-client'
import { type Plan, sendPlans } from './send-plans'
import type { WireIssue } from './wire-issue'

const UPDATE_SERVER = 'Use a newer version of GitHub Enterprise Server.'
export const NO_SUB_ISSUES = `This server has no sub-issues, so an issue cannot have a parent. ${UPDATE_SERVER}`
const NO_DEPENDENCIES = `This server has no dependencies between issues. ${UPDATE_SERVER}`

/** Few, because GitHub ends a request after 10 seconds. */
const BATCH_SIZE = 10

/** Sends several changes in one request, and one request after another, as GitHub asks of clients. GitHub does not test revisions. */
export function updateIssues(
  changes: readonly ItemChange[],
  options: ReadOptions,
  parts: IssueParts,
): Promise<ChangeOutcome[]> {
  const writer: ItemWriter<WireIssue> = {
    reader: parts.reader,
    limits: parts.graphql.limits,
    batchSize: BATCH_SIZE,
    async send(batch, wires, signal) {
      const plans: Plan[] = []
      for (const change of batch) plans.push(await planChange(change, wires, parts, signal))
      return sendPlans(plans, parts, signal)
    },
    hasValue,
  }
  return updateAfterReading(changes, options, writer)
}

async function planChange(
  { id, fields, links }: ItemChange,
  wires: ReadonlyMap<number, WireIssue>,
  parts: IssueParts,
  signal: AbortSignal,
): Promise<Plan> {
  const wire = wires.get(id)!
  const nothing = { wire, steps: [], onBoard: [] }
  const { remove = [], add = [] } = links ?? {}
  const missing = [...remove, ...add].map(({ kind }) => findMissingFeature(kind, parts.graphql)).find(Boolean)
  if (missing) return { ...nothing, problem: missing }
  const labels = (wire.labels?.nodes ?? []).map(({ name }) => name)
  const resolved = await resolveInput({ fields, labels }, parts, signal)
  if ('problem' in resolved) return { ...nothing, ...resolved }
  const { input, onBoard } = resolved
  const idOf = (number: number) => wires.get(number)!.id
  const steps: Step[] = [
    ...(Object.keys(input).length > 0 ? [{ name: 'updateIssue', input: { id: wire.id, ...input } }] : []),
    ...listStateSteps(wire.id, parts.reader.source.mapItem(wire), fields[fieldNames.state]),
    // An issue has one parent, so the old one is removed before the new one is added.
    ...remove.flatMap((link) => listLinkSteps('remove', link.kind, [wire.id, idOf(link.id)])),
    ...add.flatMap((link) => listLinkSteps('add', link.kind, [wire.id, idOf(link.id)])),
  ]
  return { wire, steps, onBoard }
}

/** What an older server lacks for a link; null if nothing. Reading the issues has shown which fields it has. */
function findMissingFeature(kind: ItemLink['kind'], { has }: RepositoryClient): string | null {
  if (kind === 'parent' || kind === 'child') return has('parent') ? null : NO_SUB_ISSUES
  return has('blockedBy') ? null : NO_DEPENDENCIES
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
