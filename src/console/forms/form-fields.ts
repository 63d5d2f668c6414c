import { StudioError } from '../../kernel'
import { isRecord } from '../../kernel/json'
import type { Fields } from './form'

/** More than any field of a form has: `limits.0.types[]` has two. */
const MAX_LEVELS = 8

/**
 * Input for an operation out of the fields of a form. `queues.0.start` is part of an entry of a list, `types[]` a list of all values of
 * that name, and `carriers[lines]` a list with an entry per line. Empty texts of an entry are left out, so that the default applies, but for
 * `customFields.seal[value]`.
 */
export function nestFields(fields: Fields): Fields {
  const nested = emptyFields()
  for (const [name, value] of Object.entries(fields)) {
    const [path = '', kind] = name.split('[')
    const keys = path.split('.')
    if (value === '' && kind === undefined && keys.length > 1) continue
    if (keys.length > MAX_LEVELS)
      throw new StudioError('too_complex', `A field of the form has more than ${MAX_LEVELS} levels.`)
    const last = keys.pop()!
    let place = nested
    for (const key of keys) {
      if (!isRecord(place[key])) place[key] = emptyFields()
      place = place[key] as Fields
    }
    place[last] = kind === undefined || kind === 'value]' ? value : toList(value, kind === 'lines]')
  }
  return nested
}

/** The entries of a list in the order of the form, without those that lack the field that each of them needs. */
export function listEntries(entries: unknown, required: string): Fields[] {
  const isGiven = (value: unknown) => value !== undefined && !(Array.isArray(value) && value.length === 0)
  return Object.values((entries ?? {}) as Record<string, Fields>).filter((entry) => isGiven(entry[required]))
}

/** The names come from the browser, so there is no prototype that they could reach. */
function emptyFields(): Fields {
  return Object.create(null) as Fields
}

function toList(value: unknown, isLines: boolean): unknown[] {
  if (!isLines) return [value].flat().filter((entry) => entry !== '')
  const lines = String(value).split('\n')
  return lines.map((line) => line.trim()).filter((line) => line !== '')
}
