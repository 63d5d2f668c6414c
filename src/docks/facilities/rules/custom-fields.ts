import { inputError } from '../../../kernel'
import type { RequestedValues } from '../../booking/rules/load-fields'
import type { CustomValues } from '../../booking/rules/load-kinds'
import type { AppointmentType, CustomField, Facility } from './facility'

const places = { everyone: 'customFields', site: 'siteFields' } as const
type Place = (typeof places)[keyof typeof places]

type Requested = { [Key in Place]?: RequestedValues | null }
type Stored = { [Key in Place]: CustomValues }

/**
 * The values of an appointment after a request. A null in the request removes a value. Throws `invalid` for a field that the facility does
 * not have, a value of another kind, and a required field that a new appointment lacks or that the request removes. What a carrier does not
 * see it may leave out, and does not change.
 */
export function resolveCustomValues(
  { customFields, caller }: Pick<Facility, 'customFields' | 'caller'>,
  request: Requested & { type: AppointmentType },
  before: Stored | null,
): Stored {
  const isCarrier = caller !== undefined
  const problems: { path: string; message: string }[] = []
  // Maps, because a field may have the name of something that every object has.
  const resolvePlace = (place: Place) => {
    const values = new Map(Object.entries(before?.[place] ?? {}))
    const isHidden = isCarrier && place === places.site
    const given = request[place]
    if (given === null && !isHidden) values.clear()
    for (const [name, value] of Object.entries(given ?? {})) {
      const path = `${place}.${name}`
      const declared = customFields.find((field) => field.name === name && places[field.seenBy] === place)
      if (value === null || value === '') {
        if (!isHidden) values.delete(name)
      } else if (!declared || isHidden)
        problems.push({ path, message: explainUnknown(customFields, { name, place, isCarrier }) })
      else {
        const read = readValue(declared, value)
        if (read === null) problems.push({ path, message: `must be ${describeValues(declared)}` })
        else values.set(name, read)
      }
    }
    return values
  }
  const resolved = { customFields: resolvePlace('customFields'), siteFields: resolvePlace('siteFields') }
  for (const { name, seenBy, required, types, ...field } of customFields) {
    const place = places[seenBy]
    const isAsked = before === null ? !(isCarrier && seenBy === 'site') : Object.hasOwn(before[place], name)
    if (!required || !isAsked || resolved[place].has(name) || types?.includes(request.type) === false) continue
    const path = `${place}.${name}`
    if (problems.some((problem) => problem.path === path)) continue
    problems.push({ path, message: `is required: ${describeValues(field)}` })
  }
  if (problems.length > 0) throw inputError(problems)
  return {
    customFields: Object.fromEntries(resolved.customFields),
    siteFields: Object.fromEntries(resolved.siteFields),
  }
}

function explainUnknown(
  fields: readonly CustomField[],
  { name, place, isCarrier }: { name: string; place: Place; isCarrier: boolean },
): string {
  const visible = fields.filter(({ seenBy }) => !isCarrier || seenBy === 'everyone')
  const elsewhere = visible.find((field) => field.name === name)
  if (elsewhere) return `belongs to ${places[elsewhere.seenBy]}`
  const names = visible.filter(({ seenBy }) => places[seenBy] === place).map((field) => field.name)
  return `is not a field of the facility${names.length > 0 ? `: it has ${names.join(', ')}` : ', which has none'}`
}

/** The value as the field has it; null if it is of another kind. Forms and flags give numbers as texts. */
function readValue({ kind, choices }: CustomField, value: string | number): string | number | null {
  if (kind === 'choice') return choices.find((choice) => choice.toLowerCase() === String(value).toLowerCase()) ?? null
  if (kind === 'text') return String(value)
  return typeof value === 'number' ? value : /^[-+]?\d{1,15}(\.\d{1,15})?$/.test(value) ? Number(value) : null
}

function describeValues({ kind, choices }: Pick<CustomField, 'kind' | 'choices'>): string {
  return kind === 'choice' ? `one of ${choices.join(', ')}` : `a ${kind}`
}
