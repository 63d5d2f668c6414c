import type { ResultOf } from '../../catalog'
import { type Attention, attentionNames, stepNames } from '../../docks'
import { capitalize } from '../../kernel/text/text'
import { MINUTE_MS } from '../../kernel/time'
import type { AttentionEntry } from '../components/attention'
import type { PageRequest } from '../console-page'
import { formatLocal, formatMinutes } from '../facility-dates'
import { operationForm } from '../forms/operation-form'
import { type Html, html } from '../html'
import { appointmentPath, facilityPath, seriesPath } from '../pages/docks/facility-path'
import { offerForms } from '../pages/docks/waitlist'
import { webhookAttention } from './webhook-attention'

type Request = Pick<PageRequest, 'run' | 'may' | 'now' | 'url'>
type Facility = Pick<ResultOf<'facilities.list'>[number], 'id' | 'code' | 'timeZone'>
type Board = ResultOf<'facilities.board'>
type BoardEntry = Board['doors'][number]['appointments'][number]
type Conflict = ResultOf<'facilities.conflicts'>[number]

interface Options {
  /** How many entries of a kind are shown. The page of the facility has all of them. */
  ofKind?: number
  /** Whether the page shows the trucks of today itself. */
  showsTrucks?: true
}

/** A facility more would make a page slow. */
const MAX_FACILITIES = 12
const FEW = 5
/** An offer that ends within this time is about to expire. */
const EXPIRING_MINUTES = 30

/** What waits for a person at all facilities of the tenant, the most urgent first. */
export async function dockAttention(request: Request): Promise<AttentionEntry[]> {
  const facilities = await request.run('facilities.list', {})
  const shown = facilities.slice(0, MAX_FACILITIES)
  const found = await Promise.all(shown.map((facility) => facilityAttention(request, facility)))
  return sortByUrgency([...(await webhookAttention(request)), ...found.flat()])
}

/** What waits for a person at a facility, the most urgent first. */
export async function facilityAttention(
  request: Request,
  facility: Facility,
  { ofKind = FEW, showsTrucks }: Options = {},
): Promise<AttentionEntry[]> {
  const { run, may, now, url: next } = request
  const { id, code, timeZone } = facility
  const mayMove = await may('appointments.reschedule')
  const [today, conflicts, waiting] = await Promise.all([
    showsTrucks ? null : run('facilities.board', { id }),
    (await may('facilities.conflicts')) ? run('facilities.conflicts', { id }) : [],
    run('waitlist.list', { facilityId: id }),
  ])
  const more = (entries: readonly AttentionEntry[]): AttentionEntry[] => {
    if (entries.length <= ofKind) return [...entries]
    const [{ tone, state }] = entries as [AttentionEntry]
    const title = `${entries.length - ofKind} more at ${code}`
    return [...entries.slice(0, ofKind), { tone, state, title, href: facilityPath(code, '/attention') }]
  }
  const trucks = (today?.doors ?? []).flatMap(({ name: doorName, appointments }) =>
    appointments.map((appointment) => ({ ...appointment, doorName })),
  )
  trucks.sort((a, b) => (a.startTime < b.startTime ? -1 : 1))
  const described = (kind: Attention) =>
    more(
      trucks
        .filter((truck) => truck.attention === kind)
        .map((truck) => describeTruck(truck, kind, { code, now, next })),
    )
  const expiring = waiting.filter(
    ({ offer }) => offer && Date.parse(offer.expiresAt) - now < EXPIRING_MINUTES * MINUTE_MS,
  )
  return sortByUrgency([
    ...described('long_at_door'),
    ...described('late'),
    ...described('waiting'),
    ...more(conflicts.flatMap((conflict) => describeConflict(conflict, { code, timeZone, next, mayMove }))),
    ...more(
      expiring.map((entry) => ({
        tone: 'warn',
        state: 'offer expires',
        title: `${code} ${entry.referenceNumber}`,
        href: facilityPath(code, '/waitlist'),
        about: `${entry.carrierName}, ${formatLocal(entry.offer!.startTime, timeZone)}, open until ${formatLocal(entry.offer!.expiresAt, timeZone)}`,
        action: offerForms(entry, { next }),
      })),
    ),
  ])
}

interface Place {
  code: string
  timeZone: string
  next: string
}

const looks = {
  long_at_door: { tone: 'bad', planned: 'until', step: 'completed' },
  late: { tone: 'warn', planned: 'planned for', step: 'checked_in' },
  waiting: { tone: 'warn', planned: 'planned for', step: 'at_door' },
} as const

function describeTruck(
  { id, referenceNumber, carrierName, doorName, ...times }: BoardEntry & { doorName: string },
  kind: Attention,
  { code, now, next }: { code: string; now: number; next: string },
): AttentionEntry {
  const { tone, planned, step } = looks[kind]
  const [at, clock] = kind === 'long_at_door' ? [times.endTime, times.localEnd] : [times.startTime, times.localStart]
  const minutes = Math.floor((now - Date.parse(at)) / MINUTE_MS)
  const word = step === 'checked_in' ? 'Check in' : capitalize(stepNames[step])
  const form = { word, about: `${word}: ${referenceNumber}`, quiet: true }
  return {
    tone,
    state: attentionNames[kind],
    title: `${code} ${referenceNumber}`,
    href: appointmentPath(id),
    about: `${carrierName}, ${doorName}, ${planned} ${clock}${minutes > 0 ? `, ${formatMinutes(minutes)} ago` : ''}`,
    action:
      step === 'checked_in'
        ? operationForm('appointments.check-in', { ...form, hidden: { id, next } })
        : operationForm('appointments.step', { ...form, hidden: { id, step, next } }),
  }
}

function describeConflict(
  { reason, appointment, occurrence }: Conflict,
  { code, timeZone, next, mayMove }: Place & { mayMove: boolean },
): AttentionEntry[] {
  if (appointment !== null) {
    const { id, referenceNumber, carrierName, startTime, doorName } = appointment
    const about = `${carrierName}, ${formatLocal(startTime, timeZone)}, ${doorName}: ${reason.replaceAll('_', ' ')}`
    const href = appointmentPath(id)
    const action = mayMove ? moveLink(href, referenceNumber) : ''
    return [{ tone: 'bad', state: 'in conflict', title: `${code} ${referenceNumber}`, href, about, action }]
  }
  if (occurrence === undefined) return []
  const { seriesId, date, carrierName, reason: why } = occurrence
  return [
    {
      tone: 'bad',
      state: 'without a slot',
      title: `${code} ${carrierName} on ${date}`,
      href: `${seriesPath(seriesId)}?${new URLSearchParams({ date })}#date`,
      about: why,
      action: operationForm('series.move', {
        hidden: { id: seriesId, date, next },
        word: 'Book at any door',
        about: `Book at any door: ${date} of ${carrierName}`,
        quiet: true,
      }),
    },
  ]
}

function moveLink(href: string, referenceNumber: string): Html {
  return html`<a class="button quiet" href="${href}" aria-label="Move or cancel ${referenceNumber}">Move or cancel</a>`
}

const urgency = ['bad', 'warn', 'info']

/** Entries of the same urgency stay in their order. */
function sortByUrgency(entries: readonly AttentionEntry[]): AttentionEntry[] {
  return entries.toSorted((a, b) => urgency.indexOf(a.tone) - urgency.indexOf(b.tone))
}
