export interface FieldDefinition {
  referenceName: string
  /** The display name. */
  name: string
  type: FieldType
  readOnly: boolean
  isIdentity: boolean
  /** Absent if any value is allowed. */
  allowedValues?: readonly (string | number)[]
}

export type FieldType =
  | 'string'
  | 'plainText'
  | 'html'
  | 'history'
  | 'integer'
  | 'double'
  | 'dateTime'
  | 'treePath'
  | 'boolean'

const definitions: Record<string, FieldDefinition> = {}

function define(type: FieldType, named: Record<string, string>, more: Partial<FieldDefinition> = {}): void {
  for (const [referenceName, name] of Object.entries(named)) {
    definitions[referenceName] = { referenceName, name, type, readOnly: false, isIdentity: false, ...more }
  }
}

const readOnly = { readOnly: true }
const identity = { isIdentity: true }

define('integer', { 'System.Id': 'ID', 'System.Rev': 'Rev', 'System.Watermark': 'Watermark' }, readOnly)
define('integer', { 'System.AreaId': 'Area ID', 'System.IterationId': 'Iteration ID' }, readOnly)
define('integer', { 'System.Parent': 'Parent', 'System.CommentCount': 'Comment Count' }, readOnly)
define('boolean', { 'System.IsDeleted': 'Is Deleted' }, readOnly)
define('string', { 'System.TeamProject': 'Team Project', 'System.NodeName': 'Node Name' }, readOnly)
define('string', { 'System.WorkItemType': 'Work Item Type' }, readOnly)
define('dateTime', { 'System.CreatedDate': 'Created Date', 'System.ChangedDate': 'Changed Date' }, readOnly)
define('dateTime', { 'System.AuthorizedDate': 'Authorized Date', 'System.RevisedDate': 'Revised Date' }, readOnly)
define('string', { 'System.CreatedBy': 'Created By', 'System.ChangedBy': 'Changed By' }, { ...readOnly, ...identity })
define('string', { 'System.AssignedTo': 'Assigned To' }, identity)
define('treePath', { 'System.AreaPath': 'Area Path', 'System.IterationPath': 'Iteration Path' })
define('string', { 'System.Title': 'Title', 'System.State': 'State', 'System.Reason': 'Reason' })
define('plainText', { 'System.Tags': 'Tags' })
define('html', { 'System.Description': 'Description' })
define('history', { 'System.History': 'History' })

define('html', {
  'Microsoft.VSTS.Common.AcceptanceCriteria': 'Acceptance Criteria',
  'Microsoft.VSTS.TCM.ReproSteps': 'Repro Steps',
  'Microsoft.VSTS.TCM.SystemInfo': 'System Info',
})
define('integer', { 'Microsoft.VSTS.Common.Priority': 'Priority' }, { allowedValues: [1, 2, 3, 4] })
define('double', { 'Microsoft.VSTS.Common.StackRank': 'Stack Rank' })
define(
  'string',
  { 'Microsoft.VSTS.Common.Severity': 'Severity' },
  { allowedValues: ['1 - Critical', '2 - High', '3 - Medium', '4 - Low'] },
)
define('string', { 'Microsoft.VSTS.Common.ValueArea': 'Value Area' }, { allowedValues: ['Architectural', 'Business'] })
define('string', { 'Microsoft.VSTS.Common.Risk': 'Risk' }, { allowedValues: ['1 - High', '2 - Medium', '3 - Low'] })
define(
  'string',
  { 'Microsoft.VSTS.Common.Activity': 'Activity' },
  { allowedValues: ['Deployment', 'Design', 'Development', 'Documentation', 'Requirements', 'Testing'] },
)
define('string', { 'Microsoft.VSTS.CMMI.Blocked': 'Blocked' }, { allowedValues: ['Yes', 'No'] })
define(
  'dateTime',
  {
    'Microsoft.VSTS.Common.StateChangeDate': 'State Change Date',
    'Microsoft.VSTS.Common.ActivatedDate': 'Activated Date',
    'Microsoft.VSTS.Common.ResolvedDate': 'Resolved Date',
    'Microsoft.VSTS.Common.ClosedDate': 'Closed Date',
  },
  readOnly,
)
define(
  'string',
  {
    'Microsoft.VSTS.Common.ActivatedBy': 'Activated By',
    'Microsoft.VSTS.Common.ResolvedBy': 'Resolved By',
    'Microsoft.VSTS.Common.ClosedBy': 'Closed By',
  },
  { ...readOnly, ...identity },
)
define('double', {
  'Microsoft.VSTS.Scheduling.StoryPoints': 'Story Points',
  'Microsoft.VSTS.Scheduling.Effort': 'Effort',
  'Microsoft.VSTS.Scheduling.OriginalEstimate': 'Original Estimate',
  'Microsoft.VSTS.Scheduling.RemainingWork': 'Remaining Work',
  'Microsoft.VSTS.Scheduling.CompletedWork': 'Completed Work',
})
define('dateTime', {
  'Microsoft.VSTS.Scheduling.StartDate': 'Start Date',
  'Microsoft.VSTS.Scheduling.TargetDate': 'Target Date',
})

export const ALL_FIELDS: readonly FieldDefinition[] = Object.values(definitions)

const byAnyName = new Map(
  ALL_FIELDS.flatMap((field) => [
    [field.referenceName.toLowerCase(), field],
    [field.name.toLowerCase(), field],
  ]),
)

/** By reference name or display name, case-insensitive. */
export function findField(name: string): FieldDefinition | null {
  return byAnyName.get(name.toLowerCase()) ?? null
}

export function getField(referenceName: string): FieldDefinition | null {
  return definitions[referenceName] ?? null
}
