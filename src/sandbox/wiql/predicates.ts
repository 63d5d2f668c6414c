import { DAY_MS } from '../../kernel/time'
import { type FieldDefinition, findField } from '../process/fields'
import { type Item, parseTags } from '../state/item'
import type { FieldValue } from '../state/state'
import { isPathUnder, type TrackerModel } from '../state/tracker-model'
import { readFieldValue } from '../wire/item-json'
import { createBadRequestError } from '../wire/response'
import { containsWords, stripHtml } from '../wire/text'
import type { Comparison, Condition, Operator, Value } from './parse-wiql'

export interface QueryContext {
  model: TrackerModel
  /** Whether `@project` can be used. */
  inProject: boolean
  /** Epoch milliseconds, used for `@today`. */
  now: number
  /** If false, instants are compared by their UTC date. */
  timePrecision: boolean
}

type Predicate<Subject> = (subject: Subject) => boolean

/** Combines the predicates of the comparisons in a condition. */
export function createPredicate<Subject>(
  condition: Condition,
  createTest: (comparison: Comparison) => Predicate<Subject>,
): Predicate<Subject> {
  if (condition.kind === 'compare') return createTest(condition)
  const parts = condition.parts.map((part) => createPredicate(part, createTest))
  if (condition.kind === 'not') return (subject) => !parts[0]!(subject)
  return condition.kind === 'and'
    ? (subject) => parts.every((part) => part(subject))
    : (subject) => parts.some((part) => part(subject))
}

/** Throws for every invalid comparison, even if there is no item to test. */
export function createItemPredicate(condition: Condition, context: QueryContext): Predicate<Item> {
  return createPredicate(condition, (comparison) => {
    const field = findQueryField(comparison.field.name)
    const test = createFieldTest(comparison, field, context)
    return (item) => test(readFieldValue(item, field.referenceName, context.model))
  })
}

export function findQueryField(name: string): FieldDefinition {
  const field = findField(name)
  if (field) return field
  throw createBadRequestError(
    `TF51005: The query references a field that does not exist. The error is caused by «[${name}]».`,
  )
}

function createFieldTest(
  comparison: Comparison,
  field: FieldDefinition,
  context: QueryContext,
): Predicate<FieldValue | null> {
  const { operator } = comparison
  const { model } = context
  const reject = () => {
    throw createBadRequestError(
      `The operator '${operator}' cannot be used with this field and value. The error is caused by «${comparison.text}».`,
    )
  }
  if (operator === 'is empty') return (value) => toText(value) === ''
  const values = comparison.values.map((value) => resolveValue(value, context))
  const isText = !['treePath', 'dateTime', 'integer', 'double'].includes(field.type)
  if (operator === 'contains' || operator === 'contains words') {
    if (!isText) reject()
    return createContainsTest(operator, values[0]!, field, model)
  }
  if (field.type === 'treePath') {
    const paths = values.map((value) => findTreePath(value, field, comparison, model))
    if (operator === 'under') return (value) => isPathUnder(toText(value), paths[0]!)
    if (!['=', '<>', 'in'].includes(operator)) reject()
    return createOrderTest(operator, paths, normalizeText)
  }
  if (operator === 'under') reject()
  if (field.type === 'dateTime') return createInstantTest(comparison, values, context.timePrecision)
  if (isText) return createOrderTest(operator, values, createTextKey(field, model))
  if (values.some((value) => Number.isNaN(Number(value)))) reject()
  return createOrderTest(operator, values, (text) => (text.trim() === '' ? null : Number(text)))
}

function resolveValue(value: Value, { model, inProject, now }: QueryContext): string {
  if (value.kind === 'text') return value.text
  if (value.kind === 'number') return String(value.number)
  if (value.name === '@me') return model.people.signedIn.uniqueName
  if (value.name === '@project' && inProject) return model.project.name
  if (value.name === '@today') return new Date(now + value.offset * DAY_MS).toISOString().slice(0, 10)
  throw createBadRequestError(`The macro is not known here. The error is caused by «${value.name}».`)
}

function toText(value: FieldValue | null): string {
  return value === null ? '' : String(value)
}

function normalizeText(text: string): string {
  return text.toLowerCase()
}

/** How a text is compared: a person by the account, a long text without its markup. */
function createTextKey(field: FieldDefinition, model: TrackerModel): (text: string) => string {
  if (field.isIdentity) return (name) => normalizeText(model.people.find(name)?.uniqueName ?? name)
  return ['html', 'history'].includes(field.type) ? (text) => normalizeText(stripHtml(text)) : normalizeText
}

/** Tags match as a whole, and people by their display name. */
function createContainsTest(
  operator: 'contains' | 'contains words',
  wanted: string,
  field: FieldDefinition,
  model: TrackerModel,
): Predicate<FieldValue | null> {
  const part = normalizeText(wanted)
  if (field.referenceName === 'System.Tags')
    return (value) => parseTags(toText(value)).some((tag) => normalizeText(tag) === part)
  const toKey = createTextKey(field, model)
  const readText = (value: FieldValue | null) =>
    field.isIdentity ? (model.people.find(toText(value))?.displayName ?? toText(value)) : toKey(toText(value))
  return operator === 'contains'
    ? (value) => normalizeText(readText(value)).includes(part)
    : (value) => containsWords(readText(value), wanted)
}

function findTreePath(value: string, field: FieldDefinition, { text }: Comparison, model: TrackerModel): string {
  const [kind, tree] =
    field.referenceName === 'System.AreaPath'
      ? (['area', model.areas] as const)
      : (['iteration', model.iterations] as const)
  const found = tree.find(value)
  if (found) return found.path
  throw createBadRequestError(`TF51011: The specified ${kind} path does not exist. The error is caused by «${text}».`)
}

function createInstantTest({ operator, text: cause }: Comparison, values: string[], timePrecision: boolean) {
  for (const value of values) {
    if (value !== '' && Number.isNaN(Date.parse(value)))
      throw createBadRequestError(`The value is not a date. The error is caused by «${cause}».`)
    if (!timePrecision && /\d:\d\d/.test(value)) {
      throw createBadRequestError(
        `You cannot supply a time with the date when running a query using date precision. The error is caused by «${cause}».`,
      )
    }
  }
  const unit = timePrecision ? 1 : DAY_MS
  return createOrderTest(operator, values, (text) => (text === '' ? null : Math.floor(Date.parse(text) / unit)))
}

/** Whether the value has the order to one of the wanted values that the operator requires, compared by their keys. */
function createOrderTest(
  operator: Operator,
  wanted: readonly string[],
  toKey: (text: string) => string | number | null,
): Predicate<FieldValue | null> {
  const keys = wanted.map(toKey)
  return (value) => {
    const found = toKey(toText(value))
    return keys.some((key) => doesOrderHold(operator, found, key))
  }
}

type Key = string | number | null

/** An empty value that is no text equals only an empty value, and is neither less nor greater than any value. */
function doesOrderHold(operator: Operator, found: Key, wanted: Key): boolean {
  if (operator === '<>') return found !== wanted
  if (operator === '=' || operator === 'in') return found === wanted
  if (found === null || wanted === null) return false
  if (found === wanted) return operator === '<=' || operator === '>='
  return operator.startsWith(found < wanted ? '<' : '>')
}
