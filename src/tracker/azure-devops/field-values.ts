import type { LongText, Person } from '../tracker'

/** Reference names of the fields that every process has, or that go by one name in all that have them. */
export const fieldNames = {
  title: 'System.Title',
  state: 'System.State',
  type: 'System.WorkItemType',
  assignedTo: 'System.AssignedTo',
  areaPath: 'System.AreaPath',
  iterationPath: 'System.IterationPath',
  tags: 'System.Tags',
  description: 'System.Description',
  parent: 'System.Parent',
  createdDate: 'System.CreatedDate',
  changedDate: 'System.ChangedDate',
  priority: 'Microsoft.VSTS.Common.Priority',
  acceptanceCriteria: 'Microsoft.VSTS.Common.AcceptanceCriteria',
  reproSteps: 'Microsoft.VSTS.TCM.ReproSteps',
  blocked: 'Microsoft.VSTS.CMMI.Blocked',
} as const

/** Where a process does not say which field holds the points. */
export const usualPointsFields = [
  'Microsoft.VSTS.Scheduling.StoryPoints',
  'Microsoft.VSTS.Scheduling.Effort',
  'Microsoft.VSTS.Scheduling.Size',
] as const

export function textValue(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

export function numberValue(value: unknown): number | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : null
}

/** `client; sample; ` as its parts, each once. */
export function tagsValue(value: unknown): string[] {
  const parts = textValue(value).split(';')
  return [...new Set(parts.map((part) => part.trim()).filter((part) => part !== ''))]
}

/** An identity object, or the bare `Name <account>` and `Name` of older servers. Null where nobody is named. */
export function personValue(value: unknown): Person | null {
  if (typeof value === 'string') return personOfText(value)
  if (typeof value !== 'object' || value === null) return null
  const { displayName, uniqueName } = value as { displayName?: unknown; uniqueName?: unknown }
  const account = textValue(uniqueName) || null
  const name = textValue(displayName) || account
  return name === null ? null : { displayName: name, uniqueName: account }
}

function personOfText(text: string): Person | null {
  const [, name = text, account = null] = /^([^<]*)<([^<>]+)>\s*$/.exec(text) ?? []
  const displayName = name.trim() || account?.trim() || ''
  return displayName === '' ? null : { displayName, uniqueName: account?.trim() || null }
}

/** Six hexadecimal digits; a leading pair, which would tell how opaque it is, is dropped. */
export function colorValue(value: unknown): string | null {
  return /^#?(?:[0-9a-f]{2})?([0-9a-f]{6})$/i.exec(textValue(value))?.[1] ?? null
}

const WRITTEN_SO = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/

/** Any instant of the tracker as ISO 8601 UTC with milliseconds; without a zone it is UTC. Null where it is none. */
export function instantValue(value: unknown): string | null {
  const text = textValue(value).trim()
  if (WRITTEN_SO.test(text)) return text
  if (!/^\d{4}-\d{2}-\d{2}/.test(text)) return null
  const zoned = /(?:z|[+-]\d{2}:?\d{2})$/i.test(text) || !text.includes('T') ? text : `${text}Z`
  const ms = Date.parse(zoned)
  return Number.isNaN(ms) ? null : new Date(ms).toISOString()
}

/** A long text is HTML unless the item says Markdown; names and values come in any case. */
export function longTextValue(
  fields: Record<string, unknown>,
  formats: Record<string, unknown>,
  field: string,
): LongText | null {
  const text = textValue(fields[field])
  if (text.trim() === '') return null
  const told = Object.entries(formats).find(([name]) => name.toLowerCase() === field.toLowerCase())?.[1]
  return { format: textValue(told).toLowerCase() === 'markdown' ? 'markdown' : 'html', text }
}
