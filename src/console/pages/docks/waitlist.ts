import type { ResultOf } from '../../../catalog'
import type { OperationId } from '../../../kernel'
import { empty } from '../../components/page-head'
import type { ConsolePage } from '../../console-page'
import { formatLocal } from '../../facility-dates'
import { detailsForm } from '../../forms/details-form'
import { operationForm } from '../../forms/operation-form'
import { type Html, html, number, table } from '../../html'
import { facilityHead } from './facility-head'
import { facilityPath } from './facility-path'
import { loadInputs, referencesInput } from './load-inputs'

export type WaitlistEntry = ResultOf<'waitlist.list'>[number]

/** Lists the waitlist of a facility in order. The staff answers the offers there. */
export const waitlistPage: ConsolePage = {
  section: 'docks',
  access: { docks: 'viewer' },
  async render({ run, params, query, may }) {
    const facility = await run('facilities.get', { id: params['code']! })
    const { id: facilityId, code, doors, timeZone } = facility
    const entries = await run('waitlist.list', { facilityId })
    const mayAnswer = await may('waitlist.remove')
    const here = facilityPath(code, '/waitlist')
    const create = detailsForm('Add to the waitlist', 'waitlist.add', {
      hidden: { facilityId, next: here },
      fields: [
        { name: 'type', label: 'Type' },
        'carrierName',
        'referenceNumber',
        referencesInput('More references'),
        { name: 'targetDate', value: query['date'] },
        'lastDate',
        'notBefore',
        'notAfter',
        { name: 'doorId', label: 'Door', choices: doors.map((door) => [door.id, door.name]), empty: 'any' },
        'offerMinutes',
        ...loadInputs(facility),
      ],
      inColumns: true,
    })
    return {
      title: `Waitlist of ${code}`,
      refreshSeconds: 30,
      body: html`${facilityHead(facility, '/waitlist', entries.length === 0 ? [] : [operationForm('waitlist.offer', { hidden: { next: here }, word: 'Offer the free slots now', quiet: true })])}
${entries.length === 0 ? empty('No one waits for a slot. A load on the waitlist is offered the first slot that gets free.', create) : html`${list(entries, { mayAnswer, here })}${create}`}
<p class="legend">An offered slot is held until it is accepted or declined, or the offer expires. Times in ${timeZone}</p>`,
    }
  },
}

function list(entries: readonly WaitlistEntry[], { mayAnswer, here }: { mayAnswer: boolean; here: string }): Html {
  const headings = [number('Place'), 'Reference', 'Carrier', 'Type', 'Dates', 'Offer', ...(mayAnswer ? ['Action'] : [])]
  return table(
    'Waitlist',
    headings,
    entries.map(
      (entry) =>
        html`<tr><td class="number">${entry.position}</td><th scope="row">${entry.referenceNumber}</th><td>${entry.carrierName}</td><td>${entry.type}</td>
<td class="nowrap">${describeDates(entry)}</td><td class="nowrap">${describeOffer(entry)}</td>${mayAnswer ? html`<td>${waitlistForms(entry, { next: here })}</td>` : ''}</tr>`,
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

type Place = { next: string; root?: '/console' | '/portal' }

function answerForm(
  operation: OperationId,
  verb: string,
  { id, about, hidden = {}, asks = true, next, root = '/console' }: Answer & Place & { id: string },
): Promise<Html> {
  return operationForm(operation, {
    root,
    hidden: { id, next, ...hidden },
    word: verb,
    about: `${verb} ${about}`,
    confirm: asks ? `${verb} ${about}?` : undefined,
    quiet: true,
  })
}

/** The answers to an offer. They name the offer that the page shows, because another one may have been made since. */
export function offerForms({ id, offer, referenceNumber }: WaitlistEntry, place: Place): Html | '' {
  if (offer === null) return ''
  const answer = { id, about: `the offer for ${referenceNumber}`, hidden: { holdId: offer.holdId }, ...place }
  return html`${answerForm('waitlist.accept', 'Accept', { ...answer, asks: false })}
${answerForm('waitlist.decline', 'Decline', answer)}`
}

/** The forms with which a waiting caller accepts or declines its offer, or leaves. */
export function waitlistForms(entry: WaitlistEntry, place: Place): Html {
  const about = `${entry.referenceNumber} from the waitlist`
  return html`<div class="bar">${offerForms(entry, place)}
${answerForm('waitlist.remove', 'Remove', { id: entry.id, about, ...place })}</div>`
}
