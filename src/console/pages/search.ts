import type { ResultOf } from '../../catalog'
import { appointmentState } from '../components/badge'
import { empty } from '../components/page-head'
import type { ConsolePage, PageRequest } from '../console-page'
import { formatLocal } from '../facility-dates'
import { findDestinations } from '../find/destinations'
import { type Html, html } from '../html'
import { appointmentPath } from './docks/facility-path'
import { hitPath } from './item-path'

const SHOWN = 8

/** Finds pages, operations, work items, drafts and appointments. The command palette shows what this page does. */
export const searchPage: ConsolePage = {
  section: 'home',
  access: 'public',
  async render(request) {
    const q = (request.query['q'] ?? '').trim()
    const [pages, items, appointments] = await Promise.all([
      findDestinations(q, request),
      findItems(q, request),
      findAppointments(q, request),
    ])
    const shown = q === '' ? pages : pages.slice(0, SHOWN)
    const total = pages.length + (items?.total ?? 0) + appointments.length
    return {
      title: q === '' ? 'Search' : `Search: ${q}`,
      body: html`<h1>Search</h1>
<form class="bar" method="get" role="search"><label>Words, a reference or the name of a page <input type="search" name="q" value="${q}" size="40"></label><button type="submit">Search</button></form>
<div id="found">
${group('Appointments', appointments.slice(0, SHOWN).map(showAppointment))}
${group(
  'Pages and operations',
  shown.map(
    ({ title, about, path }) => html`<li><a href="${path}">${title}</a> <span class="soft">${about}</span></li>`,
  ),
)}
${items === null ? '' : group('Work items and drafts', items.results.map(showHit), items.total > items.results.length ? html`<li><a href="/console/work?${new URLSearchParams({ q })}">All ${items.total} in Work</a></li>` : '')}
${total === 0 ? empty('Nothing was found. Try fewer letters, or another word.') : ''}
</div>`,
    }
  },
}

async function findItems(q: string, { may, run }: PageRequest): Promise<ResultOf<'search.fast'> | null> {
  return q !== '' && (await may('search.fast')) ? run('search.fast', { q, limit: SHOWN }) : null
}

/** By a reference, or by the number of a trailer. */
async function findAppointments(q: string, { may, run }: PageRequest): Promise<ResultOf<'appointments.find'>> {
  if (q === '' || q.length > 100 || !(await may('appointments.find'))) return []
  const found = await run('appointments.find', { referenceNumber: q })
  return found.length > 0 ? found : run('appointments.find', { equipmentId: q })
}

function group(title: string, entries: readonly Html[], more: Html | '' = ''): Html | '' {
  if (entries.length === 0) return ''
  return html`<section><h2>${title}</h2><ul class="hits">${entries}${more}</ul></section>`
}

function showHit({ type, id, reference, title, state }: ResultOf<'search.fast'>['results'][number]): Html {
  return html`<li><a href="${hitPath(type, id)}">${title}</a> <span class="soft">${type === 'devops' ? (reference ?? `#${id}`) : type}</span> <span class="soft">${state ?? ''}</span></li>`
}

function showAppointment(appointment: ResultOf<'appointments.find'>[number]): Html {
  const { id, referenceNumber, carrierName, startTime, timeZone, doorName, facilityCode } = appointment
  return html`<li><a href="${appointmentPath(id)}">${referenceNumber}</a> <span class="soft">${carrierName}, ${formatLocal(startTime, timeZone)}, ${doorName}, ${facilityCode}</span> ${appointmentState(appointment)}</li>`
}
