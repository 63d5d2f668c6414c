import * as z from 'zod'
import type { AtlassianTexts } from '../../rich-text/atlassian-texts'
import { type FieldValue, splitTags } from '../services/update-after-reading'
import type { ProcessField } from '../tracker'
import type { JiraClient, WireField } from './jira-client'

/** A field that no property of items has: a component, a fix version, or a custom field. */
export interface FurtherField {
  id: string
  name: string
  kind: ProcessField['kind']
  /** How Jira writes a value, or each value of a list: as it is, as an object with its name or its value, as a person or a long text. */
  form: 'plain' | 'name' | 'value' | 'user' | 'text'
  isList: boolean
}

/** The kinds of values by the type in the schema of their field. Other types cannot be set by a text. */
const FORMS: Readonly<Record<string, Pick<FurtherField, 'kind' | 'form'>>> = {
  string: { kind: 'string', form: 'plain' },
  number: { kind: 'number', form: 'plain' },
  date: { kind: 'date', form: 'plain' },
  datetime: { kind: 'date', form: 'plain' },
  option: { kind: 'string', form: 'value' },
  version: { kind: 'string', form: 'name' },
  component: { kind: 'string', form: 'name' },
  resolution: { kind: 'string', form: 'name' },
  securitylevel: { kind: 'string', form: 'name' },
  user: { kind: 'identity', form: 'user' },
}

/** The system fields that are not set with an issue, or that properties have. */
const OTHERS = ['summary', 'description', 'labels', 'assignee', 'created', 'updated', 'resolutiondate', 'creator']

/** The fields that can be set besides those of properties. `taken` are the IDs of custom fields with a meaning of their own. */
export function listFurtherFields(fields: readonly WireField[], taken: readonly (string | null)[]): FurtherField[] {
  return fields.flatMap(({ id, name, custom, schema }): FurtherField[] => {
    if (taken.includes(id) || OTHERS.includes(id)) return []
    if (!custom && !['array', 'resolution', 'securitylevel', 'date', 'string'].includes(schema?.type ?? '')) return []
    const isList = schema?.type === 'array'
    if (!isList && schema?.custom?.endsWith(':textarea')) return [{ id, name, kind: 'text', form: 'text', isList }]
    const found = FORMS[(isList ? schema?.items : schema?.type) ?? '']
    return found ? [{ id, name, form: found.form, kind: isList ? 'tags' : found.kind, isList }] : []
  })
}

export function toProcessField({ id, name, kind }: FurtherField): ProcessField {
  const isText = kind === 'text' ? ({ isMarkdown: true } as const) : {}
  return { referenceName: id, name, kind, readOnly: false, property: null, isUnread: true, ...isText }
}

/** The value in the form of a request. `findUser` returns what names a person, or null. */
export async function toWireValue(
  { form, isList, kind }: FurtherField,
  value: FieldValue,
  { texts, findUser }: { texts: AtlassianTexts; findUser(text: string): Promise<object | null> },
): Promise<{ value: unknown } | { problem: string }> {
  const text = String(value ?? '').trim()
  if (text === '') return { value: isList ? [] : null }
  const convert = async (one: string): Promise<unknown> => {
    if (form === 'name' || form === 'value') return { [form]: one }
    if (form === 'user') return findUser(one)
    return form === 'text' ? texts.fromMarkdown(one) : one
  }
  if (!isList) {
    const converted = kind === 'number' ? Number(text) : await convert(text)
    return converted === null ? { problem: `Jira has no account "${text}".` } : { value: converted }
  }
  const parts = splitTags(text)
  const converted = await Promise.all(parts.map(convert))
  const missing = parts[converted.indexOf(null)]
  return missing === undefined ? { value: converted } : { problem: `Jira has no account "${missing}".` }
}

const WireCreateField = z.object({
  fieldId: z.string(),
  allowedValues: z.array(z.looseObject({ name: z.string().optional(), value: z.string().optional() })).optional(),
})
const WirePage = z.object({
  fields: z.array(WireCreateField).optional(),
  values: z.array(WireCreateField).optional(),
  total: z.int().optional(),
})

/** The values that Jira offers for a field of a new issue of a type; null if it offers none. */
export async function readAllowedValues(
  { typeId, fieldId }: { typeId: string; fieldId: string },
  client: JiraClient,
  signal: AbortSignal,
): Promise<string[] | null> {
  const path = `/issue/createmeta/${encodeURIComponent(client.project.key)}/issuetypes/${typeId}`
  for (let startAt = 0; ; ) {
    const page: z.output<typeof WirePage> = await client.get(path, { startAt, maxResults: 50 }, WirePage, signal)
    const fields = page.fields ?? page.values ?? []
    const found = fields.find((field) => field.fieldId === fieldId)
    const names = found?.allowedValues?.flatMap(({ name, value }) => name ?? value ?? [])
    if (found) return names?.length ? names : null
    startAt += fields.length
    if (fields.length === 0 || startAt >= (page.total ?? 0)) return null
  }
}
