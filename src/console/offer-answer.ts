import { loadOperation } from '../catalog'
import { findOfferOfLink, type LinkedOffer } from '../docks'
import { StudioError } from '../kernel'
import { type ConsoleCall, type ConsoleHandler, isFromScript } from './console-call'
import { withoutCalls } from './errors/browser-hint'
import { type Fields, readForm, requireOwnForm } from './forms/form'
import { type Html, html } from './html'
import { PAGE_HEADERS, renderDocument } from './layout'

/** Mails link to the pages in it. */
export const OFFER_PAGE = '/console/offer'

const answers = {
  accept: { operation: 'waitlist.accept', word: 'Accept this slot', done: 'The slot is booked for' },
  decline: { operation: 'waitlist.decline', word: 'Decline this slot', done: 'The slot was declined for' },
} as const
type Answer = keyof typeof answers

/**
 * The page that a mail links to. Its script sends the link, which only shows the offer: mail servers open the links of a mail to check
 * them, and must not answer.
 */
export function offerPage(answer: Answer): ConsoleHandler {
  return (call) =>
    showPage(
      call,
      html`<h1>Offered slot</h1>
<form class="card" data-fragment="link" method="post" action="${OFFER_PAGE}/show">
<input type="hidden" name="link">
<input type="hidden" name="answer" value="${answer}">
<p>This page shows the slot that your mail offers.</p>
<p class="error" role="alert"></p>
<button type="submit">Show the slot</button>
<noscript><p>Allow JavaScript for this page: your browser needs it to read the link.</p></noscript>
</form>`,
    )
}

/** Without the menu of the console, which its reader does not use. */
function showPage({ c }: ConsoleCall, body: Html): Response {
  const header = html`<span class="brand">studio</span>`
  return c.body(String(renderDocument({ title: 'Offered slot', header, body })), 200, PAGE_HEADERS)
}

export const showOffer = forReaders(async (call) => {
  requireOwnForm(call)
  const fields = await readForm(call)
  const { referenceNumber, facts } = await requireOffer(call, fields)
  const chosen: Answer = fields['answer'] === 'decline' ? 'decline' : 'accept'
  const button = (answer: Answer) =>
    html`<button type="submit" formaction="${OFFER_PAGE}/${answer}"${answer === chosen ? '' : html` class="quiet"`}>${answers[answer].word}</button>`
  const other = chosen === 'accept' ? 'decline' : 'accept'
  return answerWith(
    call,
    html`<section class="card"><h2>A slot for ${referenceNumber}</h2>
<dl>${facts.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>
<form method="post" action="${OFFER_PAGE}/${chosen}">
<input type="hidden" name="link" value="${fields['link'] as string}">
<p class="error" role="alert"></p>
<div class="bar">${button(chosen)} ${button(other)}</div>
</form></section>`,
  )
})

/** Answers the offer of the link, and no later one: the link is the credential of this request. */
export function answerOffer(answer: Answer): ConsoleHandler {
  return forReaders(async (call) => {
    requireOwnForm(call)
    const { actor, entryId, holdId, referenceNumber } = await requireOffer(call, await readForm(call))
    const { operation, done } = answers[answer]
    call.c.env.call.credentials = { user: null, dock: actor }
    await call.run(await loadOperation(operation), { id: entryId, holdId })
    const next = answer === 'accept' ? 'A mail confirms it, if the site sends them.' : 'It stays on the waitlist.'
    return answerWith(call, html`<div role="status"><h3>${done} ${referenceNumber}</h3><p>${next}</p></div>`)
  })
}

function forReaders(answer: ConsoleHandler): ConsoleHandler {
  return async (call) => {
    try {
      return await answer(call)
    } catch (error) {
      throw error instanceof StudioError ? withoutCalls(error) : error
    }
  }
}

async function requireOffer({ c, options }: ConsoleCall, { link }: Fields): Promise<LinkedOffer> {
  const token = typeof link === 'string' ? link : ''
  let offer: LinkedOffer | null = null
  await options.caller.checkProof(c.env.call, token, async () => {
    offer = await findOfferOfLink(options.studio.context({ actor: { kind: 'anonymous' } }), token)
  })
  if (offer !== null) return offer
  throw new StudioError(
    'not_found',
    'This offer has ended: it was answered, has expired, or the slot is no longer free.',
    {
      hint: 'If it was not accepted, it stays on the waitlist, and a mail comes with the next offer.',
    },
  )
}

/** The script puts it in the place of the form. */
function answerWith(call: ConsoleCall, body: Html): Response {
  return isFromScript(call) ? call.c.json({ html: String(body) }) : showPage(call, html`<h1>Offered slot</h1>${body}`)
}
