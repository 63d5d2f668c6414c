import { html, raw } from 'hono/html'

export { html, raw }

/** Escaped text that is ready to be part of a page. */
export type Html = ReturnType<typeof html>

/** An instant, with its exact value for programs and a readable one for people. */
export function time(instant: string | null, otherwise = 'never'): Html | string {
  if (instant === null) return otherwise
  return html`<time datetime="${instant}">${instant.slice(0, 10)} ${instant.slice(11, 16)} UTC</time>`
}

/** A table that scrolls sideways on a narrow screen instead of the page. */
export function table(caption: string, headings: readonly string[], rows: readonly Html[]): Html {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Table: ${caption}"><table>
<caption>${caption}</caption>
<thead><tr>${headings.map((heading) => html`<th scope="col">${heading}</th>`)}</tr></thead>
<tbody>${rows}</tbody>
</table></div>`
}
