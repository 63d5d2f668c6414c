import { loadOperation } from '../../catalog'
import { type AnyOperation, describeField, type Field, fieldAt, matchesPattern, type OperationId } from '../../kernel'
import { SECOND_FORM } from '../../kernel/input/json-schema'
import { type Html, html } from '../html'
import { drawnValue } from './hidden-fields'
import { isLines as hasLines, pathOf, toText, valueAt } from './shown-text'

/** A form for the input of an operation. */
export interface FormOptions {
  /** What its inputs show: an object with the fields of the input. */
  values?: object | undefined
  /** Tells the forms of a page apart that have the same operation. */
  key?: string
  /** Whether the explanations are not always shown, because the inputs are in a row. */
  inRow?: true
  /** Whether only what was changed is sent. */
  onlyChanges?: true
}

/** An input, with what a page says of it because the schema does not know it. */
export interface InputField {
  /** The name of the field in the form: `queues.0.start`, `types[]`, `features[lines]`; see `nestFields`. */
  name: string
  /** Where the name of the field would mislead. */
  label?: string | undefined
  value?: unknown
  /** The values that the page offers, with their texts, such as the folders that exist. */
  choices?: Choices
  /** The text of a choice of no value. */
  empty?: string
  /** Texts for allowed values. */
  texts?: Record<string, string>
  /** For a text of several lines. */
  rows?: number
  /** Such as an example as `placeholder`, or a value that this page requires. */
  attributes?: Attributes
}

type Choices = readonly (readonly [value: string | number, text: string])[]
type Attributes = Record<string, string | number | boolean | null | undefined>

/** The inputs of a form: labels, limits, allowed values and explanations are those of the operation's input, as flags have them. */
export async function inputs(
  id: OperationId,
  fields: readonly (string | InputField)[],
  form: FormOptions = {},
): Promise<Html> {
  const op = await loadOperation(id)
  return html`${fields.map((field) => drawField(op, typeof field === 'string' ? { name: field } : field, form))}`
}

function drawField(op: AnyOperation, options: InputField, { values, key = '', inRow, onlyChanges }: FormOptions): Html {
  const { name } = options
  const path = pathOf(name)
  const isLines = hasLines(name)
  const field = fieldAt(op.input, path)
  if (!field) throw new Error(`${op.id} has no field ${path}`)
  const value = options.value ?? valueAt(values, path)
  const known = describeField(op, field, path)
  const { label = known.label } = options
  const about = label === known.about ? '' : known.about
  const isExplained = about !== '' && !inRow
  const helpId = `${op.id}-${key}${name}`
  const help = isExplained ? { 'aria-describedby': helpId } : { title: about || null }
  const input = drawInput({ field, label, value, options, help, isLines })
  const isOneLine = !isLines && options.rows === undefined
  const drawn = onlyChanges ? drawnValue(name, toText(value, isLines ? '\n' : ' '), { isOneLine }) : ''
  return isExplained
    ? html`<div class="field">${input}<small id="${helpId}">${about}</small>${drawn}</div>`
    : html`${input}${drawn}`
}

interface Input {
  field: Field
  label: string
  value: unknown
  options: InputField
  /** Where its explanation is. */
  help: Attributes
  isLines: boolean
}

function drawInput({ field, label, value: given, options, help, isLines }: Input): Html {
  const { type, choices, maxLength } = field
  const { name, rows, texts = {} } = options
  const value = given ?? field.default
  if (type === 'boolean' && field.default === false)
    return drawCheckbox({ name, value: 'true', checked: value === true, ...help }, label)
  const chosen = [value ?? []].flat().map(String)
  if (type === 'array' && choices) {
    const boxes = choices.map((choice) =>
      drawCheckbox({ name, value: choice, checked: chosen.includes(choice) }, texts[choice]),
    )
    // Without it, the form would not say that no box is checked.
    const none = html`<input${write({ type: 'hidden', name, value: '' })}>`
    return html`<fieldset${write(help)}><legend>${label}</legend>${none}${boxes}</fieldset>`
  }
  const attributes = { name, ...help, required: isRequired(field, given, options) }
  const offered = findChoices(field, options)
  if (offered) {
    const list = type === 'array' ? { multiple: true, size: 2 } : {}
    const drawn = offered.map(
      ([choice, text]) =>
        html`<option${write({ value: choice, selected: chosen.includes(String(choice)) })}>${text}</option>`,
    )
    return html`<label>${label} <select${write({ ...attributes, ...list, ...options.attributes })}>${drawn}</select></label>`
  }
  const shown = toText(given, isLines ? '\n' : ' ')
  const example = isLines ? 'one per line' : typeof field.default === 'string' ? field.default : null
  const limits = { maxlength: type === 'string' ? maxLength : null, placeholder: example, ...options.attributes }
  return isLines || rows
    ? html`<label>${label} <textarea${write({ ...attributes, rows: rows ?? 2, ...limits })}>\n${shown}</textarea></label>`
    : html`<label>${label} <input${write({ ...attributes, ...findControl(field), ...limits, value: shown })}></label>`
}

/** A value that exists and cannot be removed is not emptied. An entry of a list may be left empty: then it does not count. */
function isRequired(field: Field, value: unknown, { name, empty }: InputField): boolean {
  if (name.includes('.') || empty !== undefined) return false
  if (field.type === 'array') return field.required && name.endsWith('[lines]')
  return field.required || (!field.nullable && value !== undefined && value !== null)
}

function findChoices(
  { choices, type }: Field,
  { choices: offered, texts = {}, empty }: InputField,
): Choices | undefined {
  const allowed = type === 'boolean' ? ['true', 'false'] : choices
  const named: Record<string, string> = type === 'boolean' ? { true: 'yes', false: 'no' } : texts
  const all = offered ?? allowed?.map((value) => [value, named[value] ?? value] as const)
  return all && (empty === undefined ? all : [['', empty], ...all])
}

function drawCheckbox(attributes: Attributes, text = attributes['value']): Html {
  return html`<label class="choice"><input${write({ type: 'checkbox', ...attributes })}> ${text}</label>`
}

/** The control of a browser for the values of a field. The service checks a pattern, and says in words what it requires. */
function findControl(field: Field): Attributes {
  const { type, shape } = field
  const { minimum: min, maximum, format } = shape
  const max = maximum === Number.MAX_SAFE_INTEGER ? null : maximum
  // A reference is accepted too, such as ABC-7.
  if (SECOND_FORM in shape) return {}
  if (type === 'integer') return { type: 'number', min, max, inputmode: 'numeric' }
  if (type === 'number') return { type: 'number', min, max, step: 'any' }
  if (format === 'date') return { type: 'date' }
  if (!matchesPattern(field, '06:30') || matchesPattern(field, '6')) return {}
  return { type: matchesPattern(field, '2027-03-01T06:30') ? 'datetime-local' : 'time' }
}

/** Attributes of an element. Null and false are left out. */
export function write(attributes: Attributes): Html[] {
  return Object.entries(attributes).flatMap(([name, value]) => {
    if (value === null || value === undefined || value === false) return []
    return value === true ? html` ${name}` : html` ${name}="${value}"`
  })
}
