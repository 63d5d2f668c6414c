import { type Html, html } from '../html'

type Fact = readonly [name: string, value: Html | string | number | null | undefined]

/** Names with their values. Those without a value are left out. */
export function facts(rows: readonly Fact[]): Html {
  const known = rows.filter(([, value]) => value !== null && value !== undefined && value !== '')
  return html`<dl class="facts">${known.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>`
}
