import { type Html, html } from '../html'
import type { Fields } from './form'

/** Fields that a form sends beside those that it shows. */
export function hiddenFields(fields: Fields): Html[] {
  return Object.entries(fields).flatMap(([name, value]) =>
    [value ?? []].flat().map((entry) => html`<input type="hidden" name="${name}" value="${String(entry)}">`),
  )
}

/**
 * The value that a form was drawn with. An edit that somebody else makes meanwhile is kept: only what the form changes is sent. An input of
 * one line sends its text without line breaks.
 */
export function drawnValue(name: string, text: string, { isOneLine }: { isOneLine: boolean }): Html {
  return html`<input type="hidden" name="drawn.${name}" value="${isOneLine ? onOneLine(text) : text}">`
}

/** The text of a field that a form sends. The checked boxes of a list come with an empty text, which says that none is checked. */
export function sentText(value: unknown): string {
  return Array.isArray(value) ? value.filter((entry) => entry !== '').join(' ') : String(value ?? '')
}

/** Whether two texts of a form are the same: browsers write line breaks in two ways. */
export function isSameText(a: string, b: string): boolean {
  return onLines(a) === onLines(b)
}

export function onLines(text: string): string {
  return text.replaceAll('\r\n', '\n')
}

export function onOneLine(text: string): string {
  return text.replace(/[\r\n]/g, '')
}
