import { familyOf, type Hint, type StudioError, type SuggestedCall } from '../../kernel'
import { capitalize } from '../../kernel/text/text'
import { type Html, html } from '../html'
import { pageOfCall } from './operation-pages'

/** What to do about an error, for a person with a browser. */
interface BrowserHint {
  /** Empty if only a person at a terminal, or a program, can do something about it. */
  text: string
  links: { text: string; href: string }[]
}

/** Marks the place of a call in the text of a hint. */
const CALL = '\u0000'

/** What a browser cannot do: commands, flags, and headers and fields of a request. */
const FOR_OTHERS =
  /`|\bstudio [a-z]|(?:^|\s)--[a-z]|\bulimit\b|\bpg_(?:dump|restore)\b|Authorization|X-API-Key|Content-Type|command line|Run the command|\brm \/|\b(?:planId|ifRevision|ifSequence|updatedAt)\b/

/** A hint without what a browser cannot do. A call that has a page is a link to it. */
export function toBrowserHint(hint: Hint | null): BrowserHint {
  const parts = typeof hint === 'string' ? [hint] : (hint ?? [])
  const calls = parts.filter((part): part is SuggestedCall => typeof part !== 'string')
  const text = parts.map((part) => (typeof part === 'string' ? part : CALL)).join('')
  const shown: string[] = []
  const links: BrowserHint['links'] = []
  for (const clause of text.split(/(?<=[.;?!])\s+/)) {
    const own = calls.splice(0, clause.split(CALL).length - 1)
    const words = withoutMarks(clause)
    if (words === '' || FOR_OTHERS.test(words)) continue
    const [href] = own.map(pageOfCall)
    if (own.length === 1 && href) links.push({ text: words.replace(/\.$/, ''), href })
    // Without its call, a clause about a command says nothing to do.
    else if (!own.some(({ isCommand }) => isCommand)) shown.push(words)
  }
  return { text: shown.join(' '), links }
}

function withoutMarks(clause: string): string {
  const rest = clause.replaceAll(/(?:,? or|,? and|, then)?[:,]? ?\u0000(?:, )?/g, '').trim()
  const words = rest.replace(/[;:,]$/, '.').replace(/^(?:or|and|then) /, '')
  return words === '' || words === '.' ? '' : capitalize(/[.?!]$/.test(words) ? words : `${words}.`)
}

/** The error for scripts of a page, with its hint as plain text. They show its links beside it. */
export function withBrowserHint(error: StudioError): StudioError {
  return error.copyWith({ message: toBrowserMessage(error), hint: toBrowserHint(error.hint).text || null })
}

/** A program sends a credential with each request; a person signs in. */
export function toBrowserMessage({ code, message }: StudioError): string {
  return familyOf(code) === 'unauthenticated' && FOR_OTHERS.test(message) ? 'Sign in to go on.' : message
}

/** For readers outside of the site: hints that name calls are for its staff. */
export function withoutCalls(error: StudioError): StudioError {
  return error.copyWith({ hint: typeof error.hint === 'string' ? toBrowserHint(error.hint).text || null : null })
}

/** @param here The address of the page that shows it, to which no link leads. */
export function renderHint(hint: Hint | null, here: string): Html | '' {
  const { text, links: all } = toBrowserHint(hint)
  const links = all.filter(({ href }) => href !== here)
  const shown = links.map(({ text: words, href }) => html`<a class="button quiet" href="${href}">${words}</a>`)
  return html`${text === '' ? '' : html`<p>${text}</p>`}${links.length === 0 ? '' : html`<div class="bar">${shown}</div>`}`
}
