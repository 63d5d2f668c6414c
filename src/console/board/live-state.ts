import { type Html, html } from '../html'
import type { Board } from './extent'

/** Whether the board is live, and since when it is not. A script keeps it true; without one the page loads itself again. */
export function liveState({ generatedAt, timeZone }: Pick<Board, 'generatedAt' | 'timeZone'>): Html {
  const at = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium', timeZone }).format(new Date(generatedAt))
  return html`<span id="live" class="badge plain" title="When the service last said what the board shows, in ${timeZone}">as of ${at}</span>`
}

/** Shown above all else while the board is not live. */
export function deadBand(next: string): Html {
  return html`<div id="dead" hidden><strong role="alert"></strong> <span></span> <button type="button" class="quiet">Try now</button> <a class="button" href="/console/sign-in?${new URLSearchParams({ next })}" hidden>Sign in</a></div>`
}
