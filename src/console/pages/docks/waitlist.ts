import type { ResultOf } from '../../../catalog'
import type { OperationId } from '../../../kernel'
import type { ConsolePage } from '../../console-page'
import { hasDockRole } from '../../dock-roles'
import { formatLocal } from '../../facility-dates'
import { operationForm } from '../../forms/operation-form'
import { type Html, html, table } from '../../html'
import { facilityPath } from './facility-path'

export type WaitlistEntry = ResultOf<'waitlist.list'>[number]

/** Lists the waitlist of a facility in order. The staff answers the offers there. */
export const waitlistPage: ConsolePage = {
  section: 'docks',
  access: { docks: 'viewer' },
  async render({ run, params, actorFor }) {
    const { id, code, name, timeZone } = await run('facilities.get', { id: params['code']! })
    const entries = await run('waitlist.list', { facilityId: id })
    const mayAnswer = hasDockRole({ actorFor }, 'clerk')
    const here = facilityPath(code, '/waitlist')
    return {
      title: `Waitlist of ${code}`,
      refreshSeconds: 30,
      body: html`<h1>${code} ${name}: waitlist</h1>
<div class="bar"><a class="button quiet" href="${facilityPath(code)}">Board</a></div>
${entries.length === 0 ? html`<p>No one waits for a slot.</p>` : list(entries, { mayAnswer, here })}
<p class="legend">An offered slot is held until it is accepted or declined, or the offer expires. Times in ${timeZone}</p>`,
    }
  },
}

function list(entries: readonly WaitlistEntry[], { mayAnswer, here }: { mayAnswer: boolean; here: string }): Html {
  const headings = ['Place', 'Reference', 'Carrier', 'Type', 'Dates', 'Offer', ...(mayAnswer ? ['Action'] : [])]
  return table(
    'Waitlist',
    headings,
    entries.map(
      (entry) =>
        html`<tr><td>${entry.position}</td><th scope="row">${entry.referenceNumber}</th><td>${entry.carrierName}</td><td>${entry.type}</td>
<td>${describeDates(entry)}</td><td>${describeOffer(entry)}</td>${mayAnswer ? html`<td>${waitlistForms(entry, { next: here })}</td>` : ''}</tr>`,
    ),
  )
}

export function describeDates({ targetDate, lastDate, notBefore, notAfter }: WaitlistEntry): string {
  const dates = targetDate === lastDate ? targetDate : `${targetDate} to ${lastDate}`
  const times = [notBefore && `from ${notBefore}`, notAfter && `until ${notAfter}`].filter(Boolean)
  return [dates, ...times].join(' ')
}

export function describeOffer({ offer, timeZone }: WaitlistEntry): string {
  if (offer === null) return ''
  const [start, expiry] = [offer.startTime, offer.expiresAt].map((at) => formatLocal(at, timeZone))
  return `${start}, ${offer.doorName}; open until ${expiry}`
}

interface Answer {
  about: string
  hidden?: Record<string, string>
  asks?: boolean
}

/** The forms with which a waiting caller accepts or declines its offer, or leaves. The answers name the offer that the page shows, because another one may have been made since. */
export function waitlistForms(
  { id, offer, referenceNumber }: WaitlistEntry,
  { next, root = '/console' }: { next: string; root?: '/console' | '/portal' },
): Html {
  const form = (operation: OperationId, verb: string, { about, hidden = {}, asks = true }: Answer) =>
    operationForm(operation, {
      root,
      hidden: { id, next, ...hidden },
      word: verb,
      about: `${verb} ${about}`,
      confirm: asks ? `${verb} ${about}?` : undefined,
      quiet: true,
    })
  const offered = offer && { about: `the offer for ${referenceNumber}`, hidden: { holdId: offer.holdId } }
  return html`<div class="bar">${offered && [form('waitlist.accept', 'Accept', { ...offered, asks: false }), form('waitlist.decline', 'Decline', offered)]}
${form('waitlist.remove', 'Remove', { about: `${referenceNumber} from the waitlist` })}</div>`
}
