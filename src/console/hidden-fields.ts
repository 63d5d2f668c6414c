import type { Fields } from './form'
import { type Html, html } from './html'

/** The fields of a form that was only checked, to be sent again. */
export function hiddenFields({ dryRun: _, ...fields }: Fields): Html[] {
  return Object.entries(fields).flatMap(([name, value]) =>
    [value].flat().map((entry) => html`<input type="hidden" name="${name}" value="${String(entry)}">`),
  )
}
