import * as z from 'zod'
import { readPages } from '../services/requests/pages'
import type { JiraClient } from './jira-client'

const WireOption = z.looseObject({ name: z.string().optional(), value: z.string().optional() })
const WireScreenField = z.object({
  name: z.string().default(''),
  required: z.boolean().default(false),
  hasDefaultValue: z.boolean().default(false),
  allowedValues: z.array(z.unknown()).optional(),
})
const WireCreateField = WireScreenField.extend({ fieldId: z.string() })
const WirePage = z.object({
  fields: z.array(WireCreateField).optional(),
  values: z.array(WireCreateField).optional(),
  total: z.int().optional(),
})

/** Fields by their IDs, as the answers about transitions and edits have them. */
export const WireScreen = z.record(z.string(), WireScreenField)

/** A field on the screen with which issues are created, changed or moved to another state. */
export interface ScreenField {
  id: string
  name: string
  /** Whether it must have a value that Jira does not set itself. */
  isRequired: boolean
  /** The names of the values that Jira offers; null if it offers none. */
  allowedValues: string[] | null
}

export function toScreenFields(screen: z.output<typeof WireScreen>): ScreenField[] {
  return Object.entries(screen).map(([id, field]) => mapField(id, field))
}

/** The fields of the screen on which issues of a type are created. */
export async function readCreateScreen(
  typeId: string,
  client: JiraClient,
  signal: AbortSignal,
): Promise<ScreenField[]> {
  const path = `/issue/createmeta/${encodeURIComponent(client.project.key)}/issuetypes/${typeId}`
  const found: ScreenField[] = []
  const pages = readPages(async (cursor) => {
    const startAt = Number(cursor ?? 0)
    const page: z.output<typeof WirePage> = await client.get(path, { startAt, maxResults: 50 }, WirePage, signal)
    const entries = page.fields ?? page.values ?? []
    const end = startAt + entries.length
    return { entries, next: entries.length === 0 || end >= (page.total ?? 0) ? null : String(end) }
  })
  for await (const page of pages) found.push(...page.map(({ fieldId, ...field }) => mapField(fieldId, field)))
  return found
}

const WireEditScreen = z.object({ fields: WireScreen.default({}) })

/** The IDs of the fields that can be set on an issue. */
export async function readEditScreen(
  issueId: string,
  client: JiraClient,
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  const { fields } = await client.get(`/issue/${issueId}/editmeta`, {}, WireEditScreen, signal)
  return new Set(Object.keys(fields))
}

function mapField(id: string, { name, required, hasDefaultValue, allowedValues }: z.output<typeof WireScreenField>) {
  const names = (allowedValues ?? []).flatMap(nameOptions)
  // Jira sets the reporter if it is not given, although the screen of some versions requires it.
  const isRequired = required && !hasDefaultValue && id !== 'reporter'
  return { id, name, isRequired, allowedValues: names.length > 0 ? names : null }
}

/** The name of an option, and those of the options below it. */
function nameOptions(option: unknown): string[] {
  const { name, value, children } = WireOption.safeParse(option).data ?? {}
  const own = name ?? value
  if (own === undefined) return []
  const below = Array.isArray(children) ? children.map((child) => WireOption.safeParse(child).data?.value) : []
  return [own, ...below.flatMap((child) => (child === undefined ? [] : [joinCascade(own, child)]))]
}

const CASCADE = ' > '

/** How people write an option that is below another one. */
export function joinCascade(parent: string, child: string): string {
  return `${parent}${CASCADE}${child}`
}

export function splitCascade(text: string): { parent: string; child: string | null } {
  const at = text.indexOf(CASCADE)
  return at < 0
    ? { parent: text, child: null }
    : { parent: text.slice(0, at).trim(), child: text.slice(at + CASCADE.length).trim() }
}
