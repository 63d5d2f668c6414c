import { type Html, html } from '../html'
import type { Fields } from './form'

/** Fields that a form sends beside those that it shows. */
export function hiddenFields(fields: Fields): Html[] {
  return Object.entries(fields).flatMap(([name, value]) =>
    [value ?? []].flat().map((entry) => html`<input type="hidden" name="${name}" value="${String(entry)}">`),
  )
}

/**
 * The value that a form was drawn with, as an input beside it sends it: without line breaks. An edit that somebody else makes meanwhile is
 * kept: only what the form changes is sent.
 */
export function drawnValue(name: string, value: unknown): Html {
  return html`<input type="hidden" name="drawn.${name}" value="${onOneLine(value)}">`
}

/** The checked boxes of a list come with an empty text, which says that none is checked. */
function onOneLine(value: unknown): string {
  const text = Array.isArray(value) ? value.filter((entry) => entry !== '').join(' ') : String(value ?? '')
  return text.replace(/[\r\n]/g, '')
}

/** The fields of such a form that have another value now. */
export function takeChanged(fields: Fields): Fields {
  const sent = Object.entries(fields).filter(([name]) => !name.startsWith('drawn.'))
  return Object.fromEntries(sent.filter(([name, value]) => onOneLine(value) !== fields[`drawn.${name}`]))
}
