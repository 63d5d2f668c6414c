import { html, raw } from 'hono/html'

export { html, raw }

/** Escaped text that is ready to be part of a page. */
export type Html = ReturnType<typeof html>

/** An instant. A script shows it relative to now, with the exact one on pointing; without a script it is exact. */
export function time(instant: string | null, otherwise = 'never'): Html | string {
  if (instant === null) return otherwise
  return html`<time datetime="${instant}">${instant.slice(0, 10)} ${instant.slice(11, 16)} UTC</time>`
}

/** The heading of a column of numbers, whose cells have the class `number`. */
export function number(heading: string): Html {
  return html`<th scope="col" class="number">${heading}</th>`
}

/** A table that scrolls sideways on a narrow screen instead of the page. */
export function table(caption: string, headings: readonly (string | Html)[], rows: readonly Html[]): Html {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Table: ${caption}"><table>
<caption>${caption}</caption>
<thead><tr>${headings.map((heading) => (typeof heading === 'string' ? html`<th scope="col">${heading}</th>` : heading))}</tr></thead>
<tbody>${rows.length > 0 ? rows : html`<tr><td class="soft" colspan="${headings.length}">None.</td></tr>`}</tbody>
</table></div>`
}
