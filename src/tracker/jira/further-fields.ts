import type { AtlassianTexts } from '../../rich-text/atlassian-texts'
import { toInstantOrNull } from '../services/instants'
import { type FieldValue, splitTags } from '../services/update-after-reading'
import type { ProcessField } from '../tracker'
import type { WireField } from './jira-client'
import { joinCascade, splitCascade } from './screen-fields'

/** A field that no property of items has: a component, a fix version, or a custom field. */
export interface FurtherField {
  id: string
  name: string
  kind: ProcessField['kind']
  /** How Jira writes a value, or each value of a list. */
  form: 'plain' | 'day' | 'name' | 'value' | 'cascade' | 'user' | 'text' | 'instant'
  isList: boolean
  /** The ID of the project that alone has the field. */
  projectId: string | null
}

/** The kinds of values by the type in the schema of their field. Other types cannot be set by a text. */
const FORMS: Readonly<Record<string, Pick<FurtherField, 'kind' | 'form'>>> = {
  string: { kind: 'string', form: 'plain' },
  number: { kind: 'number', form: 'plain' },
  date: { kind: 'date', form: 'day' },
  datetime: { kind: 'date', form: 'instant' },
  option: { kind: 'string', form: 'value' },
  'option-with-child': { kind: 'string', form: 'cascade' },
  version: { kind: 'string', form: 'name' },
  component: { kind: 'string', form: 'name' },
  group: { kind: 'string', form: 'name' },
  resolution: { kind: 'string', form: 'name' },
  securitylevel: { kind: 'string', form: 'name' },
  user: { kind: 'identity', form: 'user' },
}

/** The system fields that are set with an issue, besides those of properties. */
const SYSTEM_FIELDS = [
  'components',
  'fixVersions',
  'versions',
  'duedate',
  'environment',
  'resolution',
  'security',
  'reporter',
]

/** The fields that can be set besides those of properties. `taken` are the IDs of custom fields with a meaning of their own. */
export function listFurtherFields(fields: readonly WireField[], taken: readonly (string | null)[]): FurtherField[] {
  return fields.flatMap(({ id, name, custom, schema, scope }): FurtherField[] => {
    if (taken.includes(id) || !(custom || SYSTEM_FIELDS.includes(id))) return []
    const isList = schema?.type === 'array'
    const common = { id, name, isList, projectId: scope?.project?.id ?? null }
    if (!isList && (schema?.custom?.endsWith(':textarea') || id === 'environment'))
      return [{ ...common, kind: 'text', form: 'text' }]
    const found = FORMS[(isList ? schema?.items : schema?.type) ?? '']
    return found ? [{ ...common, form: found.form, kind: isList ? 'list' : found.kind }] : []
  })
}

export function toProcessField({ id, name, kind }: FurtherField): ProcessField {
  const isText = kind === 'text' ? ({ isMarkdown: true } as const) : {}
  return { referenceName: id, name, kind, readOnly: false, property: null, ...isText }
}

/** A value as people read it; null if there is none, or if Jira returned something else. */
export function readFurtherValue({ form, isList }: FurtherField, wire: unknown, texts: AtlassianTexts): FieldValue {
  if (form === 'text') return texts.toMarkdown(wire).trim() || null
  const read = (one: unknown): FieldValue => {
    if (typeof one === 'number') return one
    if (typeof one === 'string') return (form === 'instant' ? toInstantOrNull(one) : one) || null
    const { name, value, displayName, child } = (one ?? {}) as Record<string, unknown>
    const own = form === 'user' ? (displayName ?? name) : (value ?? name)
    if (typeof own !== 'string' || own === '') return null
    const below = (child as { value?: unknown } | null | undefined)?.value
    return form === 'cascade' && typeof below === 'string' ? joinCascade(own, below) : own
  }
  if (!isList) return read(wire)
  const values = (Array.isArray(wire) ? wire : []).map(read).filter((one) => one !== null)
  return values.length === 0 ? null : values.join('; ')
}

/** The value in the form of a request. `findUser` returns what names a person, or null. */
export async function toWireValue(
  { form, isList, kind, name }: FurtherField,
  value: FieldValue,
  { texts, findUser }: { texts: AtlassianTexts; findUser(text: string): Promise<object | null> },
): Promise<{ value: unknown } | { problem: string }> {
  const text = String(value ?? '').trim()
  if (text === '') return { value: isList ? [] : null }
  if (kind === 'number') {
    const number = Number(text)
    return Number.isFinite(number) ? { value: number } : { problem: `${name} takes a number, and "${text}" is none.` }
  }
  const convert = async (one: string): Promise<unknown> => {
    if (form === 'name' || form === 'value') return { [form]: one }
    if (form === 'cascade') {
      const { parent, child } = splitCascade(one)
      return { value: parent, ...(child === null ? {} : { child: { value: child } }) }
    }
    if (form === 'user') return findUser(one)
    if (form === 'instant') return toInstantOrNull(one)?.replace('Z', '+0000') ?? null
    if (form === 'day') return one.slice(0, 'YYYY-MM-DD'.length)
    return form === 'text' ? texts.fromMarkdown(one) : one
  }
  const parts = isList ? splitTags(text) : [text]
  const converted = await Promise.all(parts.map(convert))
  const missing = parts[converted.indexOf(null)]
  if (missing === undefined) return { value: isList ? converted : converted[0] }
  return {
    problem:
      form === 'user'
        ? `Jira has no account "${missing}".`
        : `${name} takes a date and a time, and "${missing}" is none.`,
  }
}
