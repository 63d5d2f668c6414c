import { listFollowingSteps, stepNames } from '../../docks'
import { HOUR_MS } from '../../kernel/time'
import { operationForm } from '../forms/operation-form'
import { type Html, html, raw } from '../html'
import { appointmentPath, facilityPath } from '../pages/docks/facility-path'
import { type ListedAppointment, listByStart } from './board-list'
import type { Board } from './extent'
import { facetsOf, stateBadge } from './facets'

/** How far the gate looks ahead. */
const AHEAD_MS = 3 * HOUR_MS

/** Who comes to the gate next, who is late, and who is on the site. */
export async function renderGateParts(board: Board): Promise<Map<string, string>> {
  const now = Date.parse(board.generatedAt)
  const listed = listByStart(board).filter(({ appointment }) => listFollowingSteps(appointment).length > 0)
  const isHere = ({ appointment: { step } }: ListedAppointment) =>
    step !== null && step !== 'no_show' && step !== 'turned_away'
  const expected = listed.filter((entry) => {
    const { status, startTime, step } = entry.appointment
    return status === 'scheduled' && step === null && Date.parse(startTime) - now <= AHEAD_MS
  })
  const here = listed.filter(isHere)
  return new Map([
    ['gate-expected', String(await renderEntries('gate-expected', expected, board))],
    ['gate-here', String(await renderEntries('gate-here', here, board))],
  ])
}

function renderEntries(id: string, entries: readonly ListedAppointment[], board: Board): Html {
  return html`<ul id="${id}" class="trucks">${entries.length === 0 ? html`<li class="none">None.</li>` : entries.map((entry) => renderEntry(entry, board))}</ul>`
}

function renderEntry({ door, appointment }: ListedAppointment, board: Board): Html {
  const { id, localStart, referenceNumber, carrierName } = appointment
  return html`<li data-is="${facetsOf(appointment).join(' ')}"><span class="at">${localStart}</span>
<span class="what"><a href="${appointmentPath(id)}" data-dialog>${referenceNumber}</a> <span class="soft">${carrierName}</span></span>
<span class="door">${door.name}</span> ${stateBadge(appointment)} <span class="act">${nextStep(appointment, `${facilityPath(board.facilityCode)}?gate`)}</span></li>`
}

/** The step that usually follows, as one button. The appointment has the others. */
function nextStep(appointment: ListedAppointment['appointment'], next: string): Promise<Html> | '' {
  const { id, referenceNumber } = appointment
  const [step] = listFollowingSteps(appointment)
  if (step === undefined) return ''
  if (step === 'checked_in')
    return operationForm('appointments.check-in', {
      hidden: { id, next },
      word: 'Check in',
      about: `Check in ${referenceNumber}`,
    })
  const word = stepNames[step].charAt(0).toUpperCase() + stepNames[step].slice(1)
  return operationForm('appointments.step', {
    hidden: { id, step, next },
    word,
    about: `${word}: ${referenceNumber}`,
    quiet: true,
  })
}

/** For the office at the gate: large type, and one box for a typed or scanned reference. */
export function renderGate(
  parts: ReadonlyMap<string, string>,
  { live, head, found }: { live: Html; head: Html; found: Html | '' },
): Html {
  return html`${head}
<form class="bar gate-find" method="get" role="search"><input type="hidden" name="gate">
<label>Reference, or number of the trailer <input type="search" name="find" autofocus autocomplete="off" spellcheck="false" required maxlength="100"></label>
<button type="submit">Find</button></form>
${found}
<div id="board"${live} class="gate"><section><h2>Expected within three hours</h2>${raw(parts.get('gate-expected')!)}</section>
<section><h2>On the site</h2>${raw(parts.get('gate-here')!)}</section></div>`
}
