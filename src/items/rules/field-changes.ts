/** What a field was and became, as plain values. */
export interface FieldDifference {
  /** By the tracker's own name for it. */
  field: string
  from: string | number | boolean | null
  to: string | number | boolean | null
}

type Fields = Readonly<Record<string, unknown>>

/** The last part of names of fields that change with every save, and say nothing but that there was one. */
const BOOKKEEPING_FIELDS = new Set([
  'Rev',
  'ChangedDate',
  'ChangedBy',
  'AuthorizedDate',
  'AuthorizedAs',
  'RevisedDate',
  'PersonId',
  'Watermark',
])

/** The fields that differ between two snapshots, by name. */
export function diffFields(before: Fields, after: Fields): FieldDifference[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort()
  return names
    .filter((name) => !BOOKKEEPING_FIELDS.has(name.slice(name.lastIndexOf('.') + 1)))
    .map((field) => ({ field, from: toPlainValue(before[field]), to: toPlainValue(after[field]) }))
    .filter(({ from, to }) => from !== to)
}

/** A person is told by the account, or else by the name; an absent field and an empty one are the same. */
export function toPlainValue(value: unknown): FieldDifference['from'] {
  if (value === undefined || value === null || value === '') return null
  if (typeof value !== 'object') return value as string | number | boolean
  const { uniqueName, displayName } = value as { uniqueName?: unknown; displayName?: unknown }
  for (const name of [uniqueName, displayName]) if (typeof name === 'string' && name !== '') return name
  return JSON.stringify(value)
}
