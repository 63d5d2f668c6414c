import type { ResultOf } from '../../catalog'
import { formatState } from '../../docks'
import { addDays, formatLocal, localDate } from '../facility-dates'
import { type Html, html, table } from '../html'
import { describeDates, describeOffer, type WaitlistEntry, waitlistForms } from '../pages/docks/waitlist'
import { type PortalPage, portalAppointmentPath, portalFacilityPath } from './portal-call'

type Facility = ResultOf<'facilities.list'>[number]
type Listed = ResultOf<'appointments.find'>[number]

/** How many dates the list of the appointments of a carrier covers. */
const DATES = 31

/** What waits for an answer, the appointments of the carrier, and where it can book. */
export const portalHomePage: PortalPage = async ({ run, query, carrier, now }) => {
  const facilities = await run('facilities.list', {})
  // Where the date is the earliest one, nothing of today may be missing.
  const [today] = facilities.map(({ timeZone }) => localDate(now, timeZone)).sort()
  const from = query['from'] || today || localDate(now, 'UTC')
  const appointments = await run('appointments.find', { startDate: from, carrierName: carrier })
  const entries = []
  for (const { id } of facilities) entries.push(...(await run('waitlist.list', { facilityId: id })))
  const nameOf = (id: string) => facilities.find((facility) => facility.id === id)?.name ?? ''
  return {
    title: carrier,
    refreshSeconds: 60,
    body: html`<h1>${carrier}</h1>
${offers(entries, nameOf)}
${facilities.length === 0 ? html`<p>No facility admits ${carrier} at the moment. Ask the site.</p>` : bookLinks(facilities)}
<h2>Appointments</h2>
<p>From ${from} to ${addDays(from, DATES - 1)}</p>
<div class="bar">
<a class="button quiet" href="/portal?from=${addDays(from, -DATES)}">Earlier</a>
<a class="button quiet" href="/portal?from=${addDays(from, DATES)}">Later</a>
</div>
${appointments.length === 0 ? html`<p>There are no appointments on these dates.</p>` : list(appointments, nameOf)}
${waiting(entries, nameOf)}
<p class="legend">Times are those of each facility.</p>`,
  }
}

function bookLinks(facilities: readonly Facility[]): Html {
  return html`<h2>Book</h2>
${table(
  'Facilities',
  ['Facility', 'Action'],
  facilities.map(
    ({ id, code, name }) =>
      html`<tr><th scope="row">${code} ${name}</th><td><div class="bar"><a class="button" href="${portalFacilityPath(id)}">Free slots<span class="hidden"> at ${code}</span></a>
<a class="button quiet" href="${portalFacilityPath(id, '/book')}">Book<span class="hidden"> at ${code}</span></a>
<a class="button quiet" href="${portalFacilityPath(id, '/waitlist')}">Join the waitlist<span class="hidden"> of ${code}</span></a></div></td></tr>`,
  ),
)}`
}

function list(appointments: readonly Listed[], nameOf: (facilityId: string) => string): Html {
  return table(
    'Appointments',
    ['Start', 'Reference', 'Facility', 'Type', 'Door', 'Status'],
    appointments.map((appointment) => {
      const { id, facilityId, startTime, timeZone, referenceNumber, type, doorName } = appointment
      return html`<tr><td class="nowrap">${formatLocal(startTime, timeZone)}</td><th scope="row"><a href="${portalAppointmentPath(id)}">${referenceNumber}</a></th>
<td>${nameOf(facilityId)}</td><td>${type}</td><td class="nowrap">${doorName}</td><td>${formatState(appointment)}</td></tr>`
    }),
  )
}

function offers(entries: readonly WaitlistEntry[], nameOf: (facilityId: string) => string): Html[] {
  return entries
    .filter(({ offer }) => offer !== null)
    .map(
      (entry) => html`<section class="card wide" aria-label="Offer for ${entry.referenceNumber}">
<h2>A slot for ${entry.referenceNumber}</h2>
<p>${nameOf(entry.facilityId)}: ${describeOffer(entry)}</p>
${waitlistForms(entry, { next: '/portal', root: '/portal' })}</section>`,
    )
}

function waiting(entries: readonly WaitlistEntry[], nameOf: (facilityId: string) => string): Html | '' {
  const rows = entries.filter(({ offer }) => offer === null)
  if (rows.length === 0) return ''
  return html`<h2>Waitlist</h2>
${table(
  'Waitlist',
  ['Place', 'Reference', 'Facility', 'Type', 'Dates', 'Action'],
  rows.map(
    (entry) =>
      html`<tr><td>${entry.position}</td><th scope="row">${entry.referenceNumber}</th><td>${nameOf(entry.facilityId)}</td><td>${entry.type}</td>
<td>${describeDates(entry)}</td><td>${waitlistForms(entry, { next: '/portal', root: '/portal' })}</td></tr>`,
  ),
)}`
}
