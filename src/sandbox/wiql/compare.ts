import { type FieldDefinition, findField } from '../process/fields'
import { isUnder } from '../state/plan'
import type { FieldValue } from '../state/state'
import { readTags } from '../state/tags'
import type { World } from '../state/world'
import { badQuery } from '../wire/refusal'
import { containsWords, plainText } from '../wire/words'
import type { Condition, Operator, Value } from './ast'

export interface QueryContext {
  world: World
  /** Where `@project` means something. */
  inProject: boolean
  /** Milliseconds; where `@today` comes from. */
  now: number
  /** Else instants are compared by their day, in UTC. */
  timePrecision: boolean
}

export type Comparison = Extract<Condition, { kind: 'compare' }>
type Test = (value: FieldValue | null) => boolean

/** The comparison as a test of a field's value. All that can be wrong with it is found here, whatever there is to test. */
export function testOf(comparison: Comparison, context: QueryContext): Test {
  const field = queryField(comparison.field.name)
  const { operator } = comparison
  if (operator === 'is empty') return isEmpty
  const values = comparison.values.map((value) => resolve(value, context))
  if (field.isIdentity) return identityTest(comparison, values, context.world)
  if (field.type === 'treePath') return pathTest(comparison, field, values, context.world)
  if (operator === 'under') throw badOperator(comparison)
  if (field.type === 'dateTime') return instantTest(comparison, values, context.timePrecision)
  if (field.type === 'integer' || field.type === 'double') return numberTest(comparison, values)
  if (field.referenceName === 'System.Tags') return tagsTest(comparison, values)
  return textTest(comparison, values, field.type === 'html' || field.type === 'history' ? plainText : String)
}

export function queryField(name: string): FieldDefinition {
  const field = findField(name)
  if (field) return field
  throw badQuery(`TF51005: The query references a field that does not exist. The error is caused by «[${name}]».`)
}

function resolve(value: Value, { world, inProject, now }: QueryContext): string {
  if (value.kind === 'text') return value.text
  if (value.kind === 'number') return String(value.number)
  if (value.name === '@me') return world.people.signedIn.uniqueName
  if (value.name === '@project' && inProject) return world.project.name
  if (value.name === '@today') return new Date(now + value.offset * 86_400_000).toISOString().slice(0, 10)
  throw badQuery(`The macro is not known here. The error is caused by «${value.name}».`)
}

function textTest(comparison: Comparison, values: string[], view: (text: string) => string): Test {
  const { operator } = comparison
  const wanted = values.map(fold)
  if (operator === 'contains words') return (value) => containsWords(view(text(value)), values[0]!)
  if (operator === 'contains') return (value) => fold(view(text(value))).includes(wanted[0]!)
  return (value) => {
    const found = fold(view(text(value)))
    return wanted.some((one) => holds(operator, found < one ? -1 : found > one ? 1 : 0))
  }
}

function identityTest(comparison: Comparison, values: string[], world: World): Test {
  if (comparison.operator === 'under') throw badOperator(comparison)
  const shown = (name: string) => world.people.find(name)?.displayName ?? name
  if (comparison.operator.startsWith('contains')) return textTest(comparison, values, shown)
  return textTest(
    comparison,
    values.map((name) => world.people.find(name)?.uniqueName ?? name),
    String,
  )
}

/** A tag matches as a whole. */
function tagsTest(comparison: Comparison, values: string[]): Test {
  if (!comparison.operator.startsWith('contains')) return textTest(comparison, values, String)
  const wanted = fold(values[0]!)
  return (value) => readTags(text(value)).some((tag) => fold(tag) === wanted)
}

function pathTest(comparison: Comparison, field: FieldDefinition, values: string[], world: World): Test {
  const isArea = field.referenceName === 'System.AreaPath'
  const wanted = values.map((value) => {
    const found = (isArea ? world.areas : world.iterations).find(value)
    if (found) return found.path
    const kind = isArea ? 'area' : 'iteration'
    throw badQuery(`TF51011: The specified ${kind} path does not exist. The error is caused by «${comparison.text}».`)
  })
  if (comparison.operator === 'under') return (value) => isUnder(text(value), wanted[0]!)
  if (['=', '<>', 'in'].includes(comparison.operator)) return textTest(comparison, wanted, String)
  throw badOperator(comparison)
}

function numberTest(comparison: Comparison, values: string[]): Test {
  const wanted = values.map((value) => (value.trim() === '' ? null : Number(value)))
  if (comparison.operator.startsWith('contains') || wanted.some(Number.isNaN)) throw badOperator(comparison)
  return (value) => wanted.some((one) => numbersHold(comparison.operator, value === null ? null : Number(value), one))
}

function instantTest(comparison: Comparison, values: string[], timePrecision: boolean): Test {
  const { operator, text: cause } = comparison
  if (operator.startsWith('contains')) throw badOperator(comparison)
  const precise = (iso: string) => (timePrecision ? Date.parse(iso) : Math.floor(Date.parse(iso) / 86_400_000))
  const wanted = values.map((value) => {
    if (value === '') return null
    if (Number.isNaN(Date.parse(value))) throw badQuery(`The value is not a date. The error is caused by «${cause}».`)
    if (timePrecision || !/\d:\d\d/.test(value)) return precise(value)
    throw badQuery(
      `You cannot supply a time with the date when running a query using date precision. The error is caused by «${cause}».`,
    )
  })
  return (value) => wanted.some((one) => numbersHold(operator, value === null ? null : precise(String(value)), one))
}

/** Nothing equals nothing alone, and is neither less nor more than anything. */
function numbersHold(operator: Operator, found: number | null, wanted: number | null): boolean {
  if (found !== null && wanted !== null) return holds(operator, Math.sign(found - wanted))
  return operator === '<>' ? found !== wanted : (operator === '=' || operator === 'in') && found === wanted
}

function holds(operator: Operator, order: number): boolean {
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

function fold(value: string): string {
  return value.toLowerCase()
}

function badOperator(comparison: Comparison): Error {
  return badQuery(
    `The operator '${comparison.operator}' cannot be used with this field and value. The error is caused by «${comparison.text}».`,
  )
}
