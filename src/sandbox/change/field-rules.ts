import type { FieldDefinition } from '../process/fields'
import { findState, type ItemType, listFieldsOfType } from '../process/item-types'
import type { FieldValue } from '../state/state'
import { createFieldNotFoundError, createReadOnlyFieldError, createRuleError, WireError } from '../wire/response'
import { type AddressedModel, removeAddress } from '../wire/urls'

export interface RuleContext extends AddressedModel {
  type: ItemType
  /** -1 for a new item, as in the tracker. */
  itemId: number
  bypassRules: boolean
}

const MAX_STRING_LENGTH = 255

/** The value as it is stored. Throws the error that the tracker would return. */
export function checkValue(field: FieldDefinition, value: unknown, context: RuleContext): FieldValue {
  const { bypassRules } = context
  checkSettable(field, context)
  if (field.referenceName === 'System.State') return checkState(field, value, context)
  if (field.isIdentity) return checkPerson(field, value, context)
  switch (field.type) {
    case 'treePath':
      return checkTreePath(field, value, context)
    case 'integer':
    case 'double':
      return bypassRules ? parseNumber(field, value) : checkAllowed(field, parseNumber(field, value))
    case 'dateTime':
      return parseInstant(field, value)
    case 'boolean':
      return value === true || String(value).toLowerCase() === 'true'
    case 'html':
    case 'history':
      return removeAddress(String(value), context)
    case 'plainText':
      return String(value)
    case 'string':
      return bypassRules ? checkShortText(field, value) : checkAllowed(field, checkShortText(field, value))
  }
}

function checkSettable(field: FieldDefinition, { type, bypassRules }: RuleContext): void {
  if (field.readOnly && !(bypassRules && isStampField(field))) throw createReadOnlyFieldError(field.referenceName)
  if (!listFieldsOfType(type).has(field.referenceName)) throw createFieldNotFoundError(field.referenceName)
}

/** Author and date fields that a migration from another tracker may set. */
function isStampField({ referenceName, isIdentity, type }: FieldDefinition): boolean {
  if (['System.AuthorizedDate', 'System.RevisedDate'].includes(referenceName)) return false
  return isIdentity || type === 'dateTime'
}

/** Throws for a required field. */
export function checkClearable(field: FieldDefinition, context: RuleContext): void {
  checkSettable(field, context)
  if (['System.Title', 'System.State', 'System.AreaPath', 'System.IterationPath'].includes(field.referenceName)) {
    throw createRuleError(field, 'Required, InvalidEmpty')
  }
}

function checkState(field: FieldDefinition, value: unknown, { type, bypassRules }: RuleContext): string {
  const state = findState(type, String(value))
  if (state) return state.name
  if (bypassRules) return checkShortText(field, value)
  throw createNotInListError(field, value)
}

function checkPerson(field: FieldDefinition, value: unknown, { model, bypassRules }: RuleContext): string {
  const names = typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : { uniqueName: value }
  for (const name of [names.uniqueName, names.displayName]) {
    const person = typeof name === 'string' ? model.people.find(name) : null
    if (person) return person.uniqueName
  }
  const shown = String(names.displayName ?? names.uniqueName)
  if (bypassRules) return checkShortText(field, shown)
  throw createRuleError(
    field,
    'HasValues, InvalidIdentityField',
    `The identity value '${shown}' for field '${field.name}' is an unknown identity.`,
  )
}

function checkTreePath({ referenceName }: FieldDefinition, value: unknown, { model, itemId }: RuleContext): string {
  const tree = referenceName === 'System.AreaPath' ? model.areas : model.iterations
  const found = tree.find(String(value))
  if (found) return found.path
  throw new WireError(
    400,
    'WorkItemFieldInvalidTreeNameException',
    `TF401347: Invalid tree name given for work item ${itemId}, field '${referenceName}'.`,
  )
}

function parseNumber(field: FieldDefinition, value: unknown): number {
  const number = typeof value === 'string' && value.trim() === '' ? Number.NaN : Number(value)
  const fits = Number.isFinite(number) && (field.type === 'double' || Number.isInteger(number))
  if (!fits || typeof value === 'boolean' || typeof value === 'object') throw createRuleError(field, 'InvalidType')
  return number
}

function parseInstant(field: FieldDefinition, value: unknown): string {
  const at = Date.parse(String(value))
  if (Number.isNaN(at)) throw createRuleError(field, 'InvalidType')
  return new Date(at).toISOString()
}

function checkShortText(field: FieldDefinition, value: unknown): string {
  if (typeof value === 'object') throw createRuleError(field, 'InvalidType')
  const text = String(value)
  if (text.length > MAX_STRING_LENGTH) throw createRuleError(field, 'InvalidTooLong')
  if (/[\r\n]/.test(text)) throw createRuleError(field, 'InvalidCharacters')
  return text
}

function checkAllowed<V extends string | number>(field: FieldDefinition, value: V): V {
  if (!field.allowedValues) return value
  const found = field.allowedValues.find((one) => String(one).toLowerCase() === String(value).toLowerCase())
  if (found === undefined) throw createNotInListError(field, value)
  return found as V
}

function createNotInListError(field: FieldDefinition, value: unknown) {
  return createRuleError(
    field,
    'Required, HasValues, LimitedToValues, InvalidNotInList',
    `The field '${field.name}' contains the value '${String(value)}' that is not in the list of supported values`,
  )
}
