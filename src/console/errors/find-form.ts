import { type Html, html } from '../html'

/** What leads on from a page that does not exist: a search for it, and the parts of the console. */
export function findForm(): Html {
  return html`<form class="bar" method="get" action="/console/search" role="search">
<label>Search for it <input type="search" name="q" required maxlength="200"></label><button type="submit">Search</button></form>
<p><a href="/console">Home</a> · <a href="/console/work">Work</a> · <a href="/console/docks">Docks</a></p>`
}
