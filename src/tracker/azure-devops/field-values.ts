import type { LongText, Person } from '../tracker'

/** Reference names of fields that are the same in every process. */
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

/** For processes that do not define the field of the points. */
export const DEFAULT_POINTS_FIELDS = [
  'Microsoft.VSTS.Scheduling.StoryPoints',
  'Microsoft.VSTS.Scheduling.Effort',
  'Microsoft.VSTS.Scheduling.Size',
] as const

export function parseText(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

export function parseYes(value: unknown): boolean {
  return value === true || parseText(value).toLowerCase() === 'yes'
}

export function parseNumber(value: unknown): number | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : null
}

/** Splits `client; sample; ` into unique tags. */
export function parseTags(value: unknown): string[] {
  const parts = parseText(value).split(';')
  return [...new Set(parts.map((part) => part.trim()).filter((part) => part !== ''))]
}

/** Parses an identity object, or the text `Name <account>` or `Name` of older servers. Null if it has no name. */
export function parsePerson(value: unknown): Person | null {
  if (typeof value === 'string') return parsePersonText(value)
  if (typeof value !== 'object' || value === null) return null
  const { displayName, uniqueName } = value as { displayName?: unknown; uniqueName?: unknown }
  const account = parseText(uniqueName) || null
  const name = parseText(displayName) || account
  return name === null ? null : { displayName: name, uniqueName: account }
}

function parsePersonText(text: string): Person | null {
  const [, name = text, account = null] = /^([^<]*)<([^<>]+)>\s*$/.exec(text) ?? []
  const displayName = name.trim() || account?.trim() || ''
  return displayName === '' ? null : { displayName, uniqueName: account?.trim() || null }
}

/** Six hexadecimal digits. A leading pair for the opacity is dropped. */
export function parseColor(value: unknown): string | null {
  return /^#?(?:[0-9a-f]{2})?([0-9a-f]{6})$/i.exec(parseText(value))?.[1] ?? null
}

const NORMALIZED_INSTANT = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/

/** Normalizes an instant to ISO 8601 UTC with milliseconds; without a zone it is UTC. Null if it is not valid. */
export function parseInstant(value: unknown): string | null {
  const text = parseText(value).trim()
  if (NORMALIZED_INSTANT.test(text)) return text
  if (!/^\d{4}-\d{2}-\d{2}/.test(text)) return null
  const zoned = /(?:z|[+-]\d{2}:?\d{2})$/i.test(text) || !text.includes('T') ? text : `${text}Z`
  const ms = Date.parse(zoned)
  return Number.isNaN(ms) ? null : new Date(ms).toISOString()
}

/** A long text is HTML unless the item says Markdown; names and values come in any case. */
export function parseLongText(
  fields: Record<string, unknown>,
  formats: Record<string, unknown>,
  field: string,
): LongText | null {
  const text = parseText(fields[field])
  if (text.trim() === '') return null
  const isMarkdown = listMarkdownFields(formats).some((name) => name.toLowerCase() === field.toLowerCase())
  return { format: isMarkdown ? 'markdown' : 'html', text }
}

/** The fields that the item says are in Markdown. */
export function listMarkdownFields(formats: Record<string, unknown>): string[] {
  return Object.entries(formats).flatMap(([name, format]) =>
    parseText(format).toLowerCase() === 'markdown' ? [name] : [],
  )
}
