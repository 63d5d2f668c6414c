import { omitUndefined } from '../../../kernel/json'
import type { ImportedItem } from '../../tracker'
import {
  DEFAULT_POINTS_FIELDS,
  fieldNames,
  parseLongText,
  parseNumber,
  parsePerson,
  parseTags,
  parseText,
  parseYes,
} from '../field-values'

/** Maps fields to neutral names. A field that is present and empty has the value null. */
export function mapImportedFields(
  fields: Record<string, unknown>,
  formats: Record<string, unknown> = {},
): Omit<ImportedItem, 'id' | 'fields'> {
  /** The first value; null if all are empty, undefined if the file has none of the fields. */
  const first = <Value>(names: readonly string[], read: (name: string) => Value | null) => {
    const present = names.filter((name) => Object.hasOwn(fields, name))
    return present.length === 0 ? undefined : (present.map(read).find((value) => value !== null) ?? null)
  }
  const only = <Value>(name: string, parse: (value: unknown) => Value) =>
    Object.hasOwn(fields, name) ? parse(fields[name]) : undefined
  const text = (name: string) => only(name, parseText)?.trim()
  const longText = (name: string) => parseLongText(fields, formats, name)
  return omitUndefined({
    type: text(fieldNames.type),
    title: text(fieldNames.title),
    state: text(fieldNames.state),
    areaPath: text(fieldNames.areaPath),
    iterationPath: text(fieldNames.iterationPath),
    assignedTo: only(fieldNames.assignedTo, parsePerson),
    tags: only(fieldNames.tags, parseTags),
    storyPoints: first(DEFAULT_POINTS_FIELDS, (name) => parseNumber(fields[name])),
    priority: only(fieldNames.priority, parseNumber),
    parentId: only(fieldNames.parent, parseNumber),
    blockedField: only(fieldNames.blocked, parseYes),
    description: first([fieldNames.description, fieldNames.reproSteps], longText),
    acceptanceCriteria: first([fieldNames.acceptanceCriteria], longText),
  })
}

export type FileFieldKind = 'text' | 'long' | 'number' | 'integer' | 'date' | 'person' | 'tags'

export interface FileField {
  referenceName: string
  kind: FileFieldKind
}

export const ID = 'System.Id'
export const REV = 'System.Rev'
export const LINK_TYPE = 'Link Type'

const [storyPoints, effort, size] = DEFAULT_POINTS_FIELDS

/** By reference name and by the English name in the stock processes, in lower case. */
const FIELDS_BY_NAME = new Map<string, FileField>(
  (
    [
      ['ID', ID, 'integer'],
      ['Rev', REV, 'integer'],
      ['Work Item Type', fieldNames.type, 'text'],
      ['Title', fieldNames.title, 'text'],
      ['State', fieldNames.state, 'text'],
      ['Reason', 'System.Reason', 'text'],
      ['Assigned To', fieldNames.assignedTo, 'person'],
      ['Tags', fieldNames.tags, 'tags'],
      ['Team Project', 'System.TeamProject', 'text'],
      ['Area Path', fieldNames.areaPath, 'text'],
      ['Iteration Path', fieldNames.iterationPath, 'text'],
      ['Parent', fieldNames.parent, 'integer'],
      ['Link Type', LINK_TYPE, 'text'],
      ['Description', fieldNames.description, 'long'],
      ['Acceptance Criteria', fieldNames.acceptanceCriteria, 'long'],
      ['Repro Steps', fieldNames.reproSteps, 'long'],
      ['Story Points', storyPoints, 'number'],
      ['Effort', effort, 'number'],
      ['Size', size, 'number'],
      ['Original Estimate', 'Microsoft.VSTS.Scheduling.OriginalEstimate', 'number'],
      ['Remaining Work', 'Microsoft.VSTS.Scheduling.RemainingWork', 'number'],
      ['Completed Work', 'Microsoft.VSTS.Scheduling.CompletedWork', 'number'],
      ['Priority', fieldNames.priority, 'number'],
      ['Severity', 'Microsoft.VSTS.Common.Severity', 'text'],
      ['Value Area', 'Microsoft.VSTS.Common.ValueArea', 'text'],
      ['Risk', 'Microsoft.VSTS.Common.Risk', 'text'],
      ['Activity', 'Microsoft.VSTS.Common.Activity', 'text'],
      ['Blocked', fieldNames.blocked, 'text'],
      ['Created Date', fieldNames.createdDate, 'date'],
      ['Changed Date', fieldNames.changedDate, 'date'],
      ['State Change Date', 'Microsoft.VSTS.Common.StateChangeDate', 'date'],
      ['Activated Date', 'Microsoft.VSTS.Common.ActivatedDate', 'date'],
      ['Resolved Date', 'Microsoft.VSTS.Common.ResolvedDate', 'date'],
      ['Closed Date', 'Microsoft.VSTS.Common.ClosedDate', 'date'],
      ['Created By', 'System.CreatedBy', 'person'],
      ['Changed By', 'System.ChangedBy', 'person'],
      ['Activated By', 'Microsoft.VSTS.Common.ActivatedBy', 'person'],
      ['Resolved By', 'Microsoft.VSTS.Common.ResolvedBy', 'person'],
      ['Closed By', 'Microsoft.VSTS.Common.ClosedBy', 'person'],
    ] as const
  ).flatMap(([name, referenceName, kind]) => [
    [name.toLowerCase(), { referenceName, kind }],
    [referenceName.toLowerCase(), { referenceName, kind }],
  ]),
)

/** Finds a field by its English name or its reference name, in any letter case; null if it is unknown. */
export function findFileField(name: string): FileField | null {
  return FIELDS_BY_NAME.get(name.trim().toLowerCase()) ?? null
}
