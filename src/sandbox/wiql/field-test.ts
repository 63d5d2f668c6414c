import { DAY_MS } from '../../kernel/time'
import { type FieldDefinition, findField } from '../process/fields'
import { parseTags } from '../state/item'
import type { FieldValue } from '../state/state'
import type { TrackerModel } from '../state/tracker-model'
import { isPathUnder } from '../state/tracker-model'
import { createBadRequestError } from '../wire/response'
import { containsWords, stripHtml } from '../wire/text'
import type { Condition, Operator, Value } from './parse-wiql'

export interface QueryContext {
  model: TrackerModel
  /** Whether `@project` can be used. */
  inProject: boolean
  /** Epoch milliseconds, used for `@today`. */
  now: number
  /** If false, instants are compared by their UTC date. */
  timePrecision: boolean
}

export type Comparison = Extract<Condition, { kind: 'compare' }>
type Test = (value: FieldValue | null) => boolean

/** Creates a test of a field value. Throws for every invalid comparison, even if there is no item to test. */
export function createFieldTest(comparison: Comparison, context: QueryContext): Test {
  const field = findQueryField(comparison.field.name)
  const { operator } = comparison
  if (operator === 'is empty') return isEmpty
  const values = comparison.values.map((value) => resolveValue(value, context))
  if (field.isIdentity) return createIdentityTest(comparison, values, context.model)
  if (field.type === 'treePath') return createPathTest(comparison, field, values, context.model)
  if (operator === 'under') throw createOperatorError(comparison)
  if (field.type === 'dateTime') return createInstantTest(comparison, values, context.timePrecision)
  if (field.type === 'integer' || field.type === 'double') return createNumberTest(comparison, values)
  if (field.referenceName === 'System.Tags') return createTagsTest(comparison, values)
  return createTextTest(comparison, values, field.type === 'html' || field.type === 'history' ? stripHtml : String)
}

export function findQueryField(name: string): FieldDefinition {
  const field = findField(name)
  if (field) return field
  throw createBadRequestError(
    `TF51005: The query references a field that does not exist. The error is caused by «[${name}]».`,
  )
}

function resolveValue(value: Value, { model, inProject, now }: QueryContext): string {
  if (value.kind === 'text') return value.text
  if (value.kind === 'number') return String(value.number)
  if (value.name === '@me') return model.people.signedIn.uniqueName
  if (value.name === '@project' && inProject) return model.project.name
  if (value.name === '@today') return new Date(now + value.offset * DAY_MS).toISOString().slice(0, 10)
  throw createBadRequestError(`The macro is not known here. The error is caused by «${value.name}».`)
}

function createTextTest(comparison: Comparison, values: string[], view: (toText: string) => string): Test {
  const { operator } = comparison
  const wanted = values.map(normalizeCase)
  if (operator === 'contains words') return (value) => containsWords(view(text(value)), values[0]!)
  if (operator === 'contains') return (value) => normalizeCase(view(text(value))).includes(wanted[0]!)
  return (value) => {
    const found = normalizeCase(view(text(value)))
    return wanted.some((one) => doesOrderHold(operator, found < one ? -1 : found > one ? 1 : 0))
  }
}

function createIdentityTest(comparison: Comparison, values: string[], model: TrackerModel): Test {
  if (comparison.operator === 'under') throw createOperatorError(comparison)
  const shown = (name: string) => model.people.find(name)?.displayName ?? name
  if (comparison.operator.startsWith('contains')) return createTextTest(comparison, values, shown)
  return createTextTest(
    comparison,
    values.map((name) => model.people.find(name)?.uniqueName ?? name),
    String,
  )
}

/** Matches whole tags. */
function createTagsTest(comparison: Comparison, values: string[]): Test {
  if (!comparison.operator.startsWith('contains')) return createTextTest(comparison, values, String)
  const wanted = normalizeCase(values[0]!)
  return (value) => parseTags(text(value)).some((tag) => normalizeCase(tag) === wanted)
}

function createPathTest(comparison: Comparison, field: FieldDefinition, values: string[], model: TrackerModel): Test {
  const isArea = field.referenceName === 'System.AreaPath'
  const wanted = values.map((value) => {
    const found = (isArea ? model.areas : model.iterations).find(value)
    if (found) return found.path
    const kind = isArea ? 'area' : 'iteration'
    throw createBadRequestError(
      `TF51011: The specified ${kind} path does not exist. The error is caused by «${comparison.text}».`,
    )
  })
  if (comparison.operator === 'under') return (value) => isPathUnder(text(value), wanted[0]!)
  if (['=', '<>', 'in'].includes(comparison.operator)) return createTextTest(comparison, wanted, String)
  throw createOperatorError(comparison)
}

function createNumberTest(comparison: Comparison, values: string[]): Test {
  const wanted = values.map((value) => (value.trim() === '' ? null : Number(value)))
  if (comparison.operator.startsWith('contains') || wanted.some(Number.isNaN)) throw createOperatorError(comparison)
  return (value) => wanted.some((one) => doNumbersHold(comparison.operator, value === null ? null : Number(value), one))
}

function createInstantTest(comparison: Comparison, values: string[], timePrecision: boolean): Test {
  const { operator, text: cause } = comparison
  if (operator.startsWith('contains')) throw createOperatorError(comparison)
  const precise = (iso: string) => (timePrecision ? Date.parse(iso) : Math.floor(Date.parse(iso) / DAY_MS))
  const wanted = values.map((value) => {
    if (value === '') return null
    if (Number.isNaN(Date.parse(value)))
      throw createBadRequestError(`The value is not a date. The error is caused by «${cause}».`)
    if (timePrecision || !/\d:\d\d/.test(value)) return precise(value)
    throw createBadRequestError(
      `You cannot supply a time with the date when running a query using date precision. The error is caused by «${cause}».`,
    )
  })
  return (value) => wanted.some((one) => doNumbersHold(operator, value === null ? null : precise(String(value)), one))
}

/** An empty value equals only an empty value, and is neither less nor greater than any value. */
function doNumbersHold(operator: Operator, found: number | null, wanted: number | null): boolean {
  if (found !== null && wanted !== null) return doesOrderHold(operator, Math.sign(found - wanted))
  return operator === '<>' ? found !== wanted : (operator === '=' || operator === 'in') && found === wanted
}

function doesOrderHold(operator: Operator, order: number): boolean {
  switch (operator) {
    case '=':
    case 'in':
      return order === 0
    case '<>':
      return order !== 0
    case '<':
      return order < 0
    case '>':
      return order > 0
    case '<=':
      return order <= 0
    default:
      return order >= 0
  }
}

function isEmpty(value: FieldValue | null): boolean {
  return value === null || value === ''
}

function text(value: FieldValue | null): string {
  return value === null ? '' : String(value)
}

function normalizeCase(value: string): string {
  return value.toLowerCase()
}

function createOperatorError(comparison: Comparison): Error {
  return createBadRequestError(
    `The operator '${comparison.operator}' cannot be used with this field and value. The error is caused by «${comparison.text}».`,
  )
}
