import { createFieldNotFoundError } from '../wire/response'
import process from './agile-process.json'

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

type FieldType =
  | 'string'
  | 'plainText'
  | 'html'
  | 'history'
  | 'integer'
  | 'double'
  | 'dateTime'
  | 'treePath'
  | 'boolean'

export const ALL_FIELDS: readonly FieldDefinition[] = process.fields.map((field) => ({
  readOnly: false,
  isIdentity: false,
  ...field,
  type: field.type as FieldType,
}))

const byAnyName = new Map(
  ALL_FIELDS.flatMap((field) => [
    [field.referenceName.toLowerCase(), field],
    [field.name.toLowerCase(), field],
  ]),
)

/** Finds a field by reference name or display name, in any letter case. */
export function findField(name: string): FieldDefinition | null {
  return byAnyName.get(name.toLowerCase()) ?? null
}

/** As `findField`. Throws a 400 for an unknown name. */
export function requireField(name: string): FieldDefinition {
  const field = findField(name)
  if (!field) throw createFieldNotFoundError(name)
  return field
}
