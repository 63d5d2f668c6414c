import { DEFAULT_POINTS_FIELDS, fieldNames } from '../field-values'

export type FileFieldKind = 'text' | 'long' | 'number' | 'whole' | 'date' | 'person' | 'tags'

/** A field as a file names it. */
export interface FileField {
  referenceName: string
  kind: FileFieldKind
}

export const ID = 'System.Id'
export const REV = 'System.Rev'
export const LINK_TYPE = 'Link Type'

const [storyPoints, effort, size] = DEFAULT_POINTS_FIELDS

/** By the English names of the stock processes, in lower case. */
const FIELDS_BY_NAME = new Map<string, FileField>(
  (
    [
      ['ID', ID, 'whole'],
      ['Rev', REV, 'whole'],
      ['Work Item Type', fieldNames.type, 'text'],
      ['Title', fieldNames.title, 'text'],
      ['State', fieldNames.state, 'text'],
      ['Reason', 'System.Reason', 'text'],
      ['Assigned To', fieldNames.assignedTo, 'person'],
      ['Tags', fieldNames.tags, 'tags'],
      ['Team Project', 'System.TeamProject', 'text'],
      ['Area Path', fieldNames.areaPath, 'text'],
      ['Iteration Path', fieldNames.iterationPath, 'text'],
      ['Parent', fieldNames.parent, 'whole'],
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

/** By its English name or its reference name, in any case; null for one that is not known here. */
export function findFileField(name: string): FileField | null {
  return FIELDS_BY_NAME.get(name.trim().toLowerCase()) ?? null
}
