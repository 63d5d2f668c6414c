import { equalsIgnoringCase } from '../../kernel/text/text'
import { type ChangeResult, sendInOrder } from '../services/change-result'
import {
  type FieldValue,
  type ItemWriter,
  isSameTags,
  isSameText,
  isSameValue,
  updateAfterReading,
} from '../services/update-after-reading'
import type { ChangeOutcome, ItemChange, ItemLink, ReadOptions, TrackerItem } from '../tracker'
import { resolveInput } from './issue-input'
import type { IssueParts } from './issue-reader'
import { NOTHING } from './linear-client'
import { fieldNames, findParent } from './map-issue'
import type { WireIssue } from './wire-issue'

/** Sends one change after another. Linear does not test revisions. */
export function updateIssues(
  changes: readonly ItemChange[],
  options: ReadOptions,
  parts: IssueParts,
): Promise<ChangeOutcome[]> {
  const writer: ItemWriter<WireIssue> = {
    reader: parts.reader,
    limits: parts.linear.limits,
    batchSize: 1,
    async send([change], wires, signal) {
      return [await sendChange(change!, wires, parts, signal)]
    },
    hasValue,
  }
  return updateAfterReading(changes, options, writer)
}

type Send = () => Promise<ChangeResult<unknown>>

async function sendChange(
  { id, fields, links, tags }: ItemChange,
  wires: ReadonlyMap<number, WireIssue>,
  parts: IssueParts,
  signal: AbortSignal,
): Promise<ChangeResult<unknown>> {
  const wire = wires.get(id)!
  const { linear, mapping } = parts
  const resolved = await resolveInput({ fields, tags, labelIds: wire.labelIds }, parts, signal)
  if ('problem' in resolved) return { kind: 'rejected', message: resolved.problem }
  const { input } = resolved
  const { remove = [], add = [] } = links ?? {}
  const update =
    (issueId: string, values: Record<string, unknown>): Send =>
    () =>
      linear.change('issueUpdate', { id: ['String!', issueId], input: ['IssueUpdateInput!', values] }, NOTHING, signal)
  const setParent = (child: WireIssue, parent: WireIssue | null): Send[] =>
    findParent(child, mapping.team) === (parent?.number ?? null)
      ? []
      : [update(child.id, { parentId: parent?.id ?? null })]

  const newParent = add.find(({ kind }) => kind === 'parent')
  const isParentRemoved = remove.some((link) => link.kind === 'parent' && link.id === findParent(wire, mapping.team))
  if (newParent) input['parentId'] = wires.get(newParent.id)!.id
  else if (isParentRemoved) input['parentId'] = null

  const removeLink = (link: ItemLink): Send[] => {
    const other = wires.get(link.id)!
    if (link.kind === 'parent') return []
    if (link.kind === 'child') return findParent(other, mapping.team) === id ? setParent(other, null) : []
    return findRelations(wire, link).map(
      (relation) => () => linear.change('issueRelationDelete', { id: ['String!', relation.id] }, NOTHING, signal),
    )
  }
  const addLink = (link: ItemLink): Send[] => {
    const other = wires.get(link.id)!
    if (link.kind === 'parent') return []
    if (link.kind === 'child') return setParent(other, wire)
    if (findRelations(wire, link).length > 0) return []
    const [from, to] = link.kind === 'predecessor' ? [other, wire] : [wire, other]
    const type = link.kind === 'related' ? 'related' : 'blocks'
    const relation = { issueId: from.id, relatedIssueId: to.id, type }
    return [
      () => linear.change('issueRelationCreate', { input: ['IssueRelationCreateInput!', relation] }, NOTHING, signal),
    ]
  }
  return sendInOrder([
    ...(Object.keys(input).length > 0 ? [update(wire.id, input)] : []),
    ...remove.flatMap(removeLink),
    ...add.flatMap(addLink),
  ])
}

function findRelations({ links }: WireIssue, { kind, id }: ItemLink) {
  return links.filter((link) => link.kind === kind && link.number === id)
}

function hasValue(item: TrackerItem, name: string, value: FieldValue): boolean {
  const [found, text] = [item.fields[name], String(value ?? '').trim()]
  if (name === fieldNames.assignee) {
    const { displayName, uniqueName } = item.assignedTo ?? {}
    return text === '' ? !item.assignedTo : [displayName, uniqueName].some((one) => isSameValue(one, value, 'person'))
  }
  if (name === fieldNames.labels) return isSameTags(item.tags.join(';'), text)
  if (name === fieldNames.title || name === fieldNames.description)
    return isSameText(String(found ?? ''), String(value ?? ''))
  if (name === fieldNames.priority) return String(item.priority ?? 0) === (text || '0')
  if (name === fieldNames.dueDate) return String(found ?? '') === text.slice(0, 10)
  return equalsIgnoringCase(String(found ?? ''), text) || (name === fieldNames.cycle && found === `Cycle ${text}`)
}
