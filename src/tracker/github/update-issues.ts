import { equalsIgnoringCase } from '../../kernel/text/text'
import type { Step } from '../services/requests/graphql-mutations'
import { type FieldValue, type ItemWriter, isSameValue, updateAfterReading } from '../services/update-after-reading'
import type { ChangeOutcome, ItemChange, ItemLink, ReadOptions, TrackerItem } from '../tracker'
import type { StateChange } from './board/issue-states'
import { Renewal, resolveInput } from './issue-input'
import type { IssueParts } from './issue-reader'
import { fieldNames } from './map-issue'
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
  const renewal = new Renewal(parts.metadata)
  const writer: ItemWriter<WireIssue> = {
    reader: parts.reader,
    limits: parts.graphql.limits,
    batchSize: BATCH_SIZE,
    async send(batch, wires, signal) {
      const plans: Plan[] = []
      for (const change of batch) plans.push(await planChange(change, wires, parts, { signal, renewal }))
      return sendPlans(plans, parts, signal)
    },
    hasValue,
  }
  return updateAfterReading(changes, options, writer)
}

async function planChange(
  { id, fields, links, tags }: ItemChange,
  wires: ReadonlyMap<number, WireIssue>,
  parts: IssueParts,
  options: { signal: AbortSignal; renewal: Renewal },
): Promise<Plan> {
  const wire = wires.get(id)!
  const nothing = { wire, steps: [], onBoard: [] }
  const { remove = [], add = [] } = links ?? {}
  const missing = [...remove, ...add].map(({ kind }) => findMissingFeature(kind, parts.graphql)).find(Boolean)
  if (missing) return { ...nothing, problem: missing }
  const { [fieldNames.state]: state, ...others } = fields
  const { state: current } = parts.reader.source.mapItem(wire)
  const isSameState = state === undefined || equalsIgnoringCase(String(state), current)
  const requested = { fields: isSameState ? others : fields, tags, labels: wire.labels?.nodes ?? [] }
  const resolved = await resolveInput(requested, parts, options)
  if ('problem' in resolved) return { ...nothing, ...resolved }
  const { input, onBoard, issueFields, labels } = resolved
  const idOf = (number: number) => wires.get(number)!.id
  const steps: Step[] = [
    ...(Object.keys(input).length > 0 ? [{ name: 'updateIssue', input: { id: wire.id, ...input } }] : []),
    ...listLabelSteps(wire.id, labels),
    ...listStateSteps(wire, resolved.state),
    ...listIssueFieldSteps(wire.id, issueFields),
    // An issue has one parent, so the old one is removed before the new one is added.
    ...remove.flatMap((link) => listLinkSteps('remove', link.kind, [wire.id, idOf(link.id)])),
    ...add.flatMap((link) => listLinkSteps('add', link.kind, [wire.id, idOf(link.id)])),
  ]
  return { wire, steps, onBoard, isReopened: resolved.state?.closing === null }
}

/** What an older server lacks for a link; null if nothing. Reading the issues has shown which fields it has. */
function findMissingFeature(kind: ItemLink['kind'], { has }: RepositoryClient): string | null {
  if (kind === 'parent' || kind === 'child') return has('parent') ? null : NO_SUB_ISSUES
  return has('blockedBy') ? null : NO_DEPENDENCIES
}

function listLabelSteps(labelableId: string, { add, remove }: { add: string[]; remove: string[] }): Step[] {
  return [
    ...(add.length > 0 ? [{ name: 'addLabelsToLabelable', input: { labelableId, labelIds: add } }] : []),
    ...(remove.length > 0 ? [{ name: 'removeLabelsFromLabelable', input: { labelableId, labelIds: remove } }] : []),
  ]
}

/** Closes or opens the issue if it is not so already. The status on the board is set after it, because GitHub may change that too. */
function listStateSteps({ id: issueId, state, stateReason }: WireIssue, change: StateChange | null): Step[] {
  if (change === null) return []
  const { closing } = change
  if (closing === null) return state === 'OPEN' ? [] : [{ name: 'reopenIssue', input: { issueId } }]
  const reason = stateReason === 'NOT_PLANNED' || stateReason === 'DUPLICATE' ? 'NOT_PLANNED' : 'COMPLETED'
  if (state === 'CLOSED' && reason === closing) return []
  return [{ name: 'closeIssue', input: { issueId, stateReason: closing } }]
}

export function listIssueFieldSteps(issueId: string, issueFields: readonly Record<string, unknown>[]): Step[] {
  return issueFields.length > 0 ? [{ name: 'setIssueFieldValue', input: { issueId, issueFields } }] : []
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
  if (name === fieldNames.state) return hasState(item, String(value))
  if (name === fieldNames.labels) return isSameValue(item.fields[name], value, 'tags')
  if (name === fieldNames.title || name === fieldNames.body) return isSameValue(item.fields[name], value)
  const [found, text] = [String(item.fields[name] ?? ''), String(value ?? '').trim()]
  // The names of options and of milestones have the letter case of GitHub, and its dates have no time.
  const isSameDate = /^\d{4}-\d{2}-\d{2}$/.test(found) && text.startsWith(`${found}T`)
  return isSameValue(item.fields[name], value) || equalsIgnoringCase(found, text) || isSameDate
}

/** A board may give an issue that is closed a status of its own. */
function hasState({ state, stateCategory }: TrackerItem, value: string): boolean {
  return equalsIgnoringCase(state, value) || (value === 'Closed' && stateCategory === 'Completed')
}
