import type { FieldDefinition } from '../process/fields'
import { fieldsOfType, findState, type ItemType } from '../process/types'
import type { FieldValue } from '../state/state'
import { type Scene, withoutAddress } from '../wire/addresses'
import { brokenRule, noSuchField, noSuchPath, readOnlyField } from '../wire/refusal'

export interface RuleContext extends Scene {
  type: ItemType
  /** -1 for one that is being made, as the tracker has it. */
  itemId: number
  bypassRules: boolean
}

const LONGEST_STRING = 255

/** The value as it is kept. Throws the refusal that the tracker would give. */
export function checkedValue(field: FieldDefinition, value: unknown, context: RuleContext): FieldValue {
  const { bypassRules } = context
  checkSettable(field, context)
  if (field.referenceName === 'System.State') return stateName(field, value, context)
  if (field.isIdentity) return personName(field, value, context)
  switch (field.type) {
    case 'treePath':
      return planPath(field, value, context)
    case 'integer':
    case 'double':
      return bypassRules ? numeric(field, value) : allowed(field, numeric(field, value))
    case 'dateTime':
      return instant(field, value)
    case 'boolean':
      return value === true || String(value).toLowerCase() === 'true'
    case 'html':
    case 'history':
      return withoutAddress(String(value), context)
    case 'plainText':
      return String(value)
    case 'string':
      return bypassRules ? shortText(field, value) : allowed(field, shortText(field, value))
  }
}

export function checkSettable(field: FieldDefinition, { type, bypassRules }: RuleContext): void {
  if (field.readOnly && !(bypassRules && isStamp(field))) throw readOnlyField(field.referenceName)
  if (!fieldsOfType(type).has(field.referenceName)) throw noSuchField(field.referenceName)
}

/** Who did something and when, as far as a move from another tracker may say. */
function isStamp({ referenceName, isIdentity, type }: FieldDefinition): boolean {
  if (['System.AuthorizedDate', 'System.RevisedDate'].includes(referenceName)) return false
  return isIdentity || type === 'dateTime'
}

/** A field without which an item cannot be. */
export function checkClearable(field: FieldDefinition, context: RuleContext): void {
  checkSettable(field, context)
  if (['System.Title', 'System.State', 'System.AreaPath', 'System.IterationPath'].includes(field.referenceName)) {
    throw brokenRule(field, 'Required, InvalidEmpty')
  }
}

function stateName(field: FieldDefinition, value: unknown, { type, bypassRules }: RuleContext): string {
  const state = findState(type, String(value))
  if (state) return state.name
  if (bypassRules) return shortText(field, value)
  throw notInList(field, value)
}

function personName(field: FieldDefinition, value: unknown, { world, bypassRules }: RuleContext): string {
  const names = typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : { uniqueName: value }
  for (const name of [names.uniqueName, names.displayName]) {
    const person = typeof name === 'string' ? world.people.find(name) : null
    if (person) return person.uniqueName
  }
  const shown = String(names.displayName ?? names.uniqueName)
  if (bypassRules) return shortText(field, shown)
  throw brokenRule(
    field,
    'HasValues, InvalidIdentityField',
    `The identity value '${shown}' for field '${field.name}' is an unknown identity.`,
  )
}

function planPath(field: FieldDefinition, value: unknown, { world, itemId }: RuleContext): string {
  const plan = field.referenceName === 'System.AreaPath' ? world.areas : world.iterations
  const found = plan.find(String(value))
  if (!found) throw noSuchPath(itemId, field.referenceName)
  return found.path
}

function numeric(field: FieldDefinition, value: unknown): number {
  const number = typeof value === 'string' && value.trim() === '' ? Number.NaN : Number(value)
  const fits = Number.isFinite(number) && (field.type === 'double' || Number.isInteger(number))
  if (!fits || typeof value === 'boolean' || typeof value === 'object') throw brokenRule(field, 'InvalidType')
  return number
}

function instant(field: FieldDefinition, value: unknown): string {
  const at = Date.parse(String(value))
  if (Number.isNaN(at)) throw brokenRule(field, 'InvalidType')
  return new Date(at).toISOString()
}

function shortText(field: FieldDefinition, value: unknown): string {
  if (typeof value === 'object') throw brokenRule(field, 'InvalidType')
  const text = String(value)
  if (text.length > LONGEST_STRING) throw brokenRule(field, 'InvalidTooLong')
  if (/[\r\n]/.test(text)) throw brokenRule(field, 'InvalidCharacters')
  return text
}

function allowed<V extends string | number>(field: FieldDefinition, value: V): V {
  if (!field.allowedValues) return value
  const found = field.allowedValues.find((one) => String(one).toLowerCase() === String(value).toLowerCase())
  if (found === undefined) throw notInList(field, value)
  return found as V
}

function notInList(field: FieldDefinition, value: unknown) {
  return brokenRule(
    field,
    'Required, HasValues, LimitedToValues, InvalidNotInList',
    `The field '${field.name}' contains the value '${String(value)}' that is not in the list of supported values`,
  )
}
