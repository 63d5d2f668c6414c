import * as z from 'zod'
import { loadFields, loadKeys } from '../docks'
import type { JsonSchema } from '../kernel/json-schema'
import type { Fields } from './form'
import { drawnValue } from './hidden-fields'
import { type Html, html } from './html'

type Load = { [Key in (typeof loadKeys)[number]]?: number | string | readonly string[] | null }

/** The inputs of a form for the fields of a load, with the values of an appointment that is changed. */
export function loadInputs(load: Load | null = null): Html[] {
  return loadKeys.map((key) => {
    const { kind, schema, label, unit, about } = loadFields[key] as (typeof loadFields)[typeof key] & { unit?: string }
    const { minimum, maximum, maxLength } = z.toJSONSchema(schema, {
      io: 'input',
      unrepresentable: 'any',
    }) as JsonSchema
    const name = unit === undefined ? label : `${label} (${unit})`
    const value = [load?.[key] ?? ''].flat().join(' ')
    const drawn = load ? drawnValue(key, value) : ''
    return kind === 'number'
      ? html`<label>${name} <input name="${key}" type="number" min="${minimum}" max="${maximum}" inputmode="numeric" value="${value}"></label>${drawn}`
      : html`<label>${name} <input name="${key}"${maxLength === undefined ? '' : html` maxlength="${maxLength}"`} placeholder="${about}" value="${value}"></label>${drawn}`
  })
}

/** The load of such a form as the input of an operation. */
export function takeLoad(fields: Fields): Fields {
  const given = loadKeys.filter((key) => fields[key] !== undefined)
  return Object.fromEntries(
    given.map((key) => {
      const text = String(fields[key]).trim()
      return [key, loadFields[key].kind === 'words' ? text.split(/\s+/) : text || null]
    }),
  )
}
