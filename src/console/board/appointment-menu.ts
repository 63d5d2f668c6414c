import type { ResultOf } from '../../catalog'
import { stepNames } from '../../docks'
import type { OperationId } from '../../kernel'
import { capitalize } from '../../kernel/text/text'
import type { ConsolePage } from '../console-page'
import { localDate } from '../facility-dates'
import { operationForm } from '../forms/operation-form'
import { type Html, html } from '../html'
import { rescheduleForm } from '../pages/docks/appointment'
import { appointmentPath, facilityPath } from '../pages/docks/facility-path'
import { reasonInputs } from '../pages/docks/load-inputs'
import { listByStart } from './board-list'
import type { Board } from './extent'

/** What can be done with an appointment, as a menu beside its block on the board, or as a page. */
export const appointmentMenuPage: ConsolePage = {
  section: 'docks',
  access: { docks: 'viewer' },
  async render({ run, params, may }) {
    const id = params['id']!
    const appointment = await run('appointments.get', { id })
    const { referenceNumber, startTime, timeZone, nextSteps, visit, status } = appointment
    const facility = await run('facilities.get', { id: appointment.facilityId })
    const next = `${facilityPath(facility.code)}?date=${localDate(startTime, timeZone)}`
    const here = appointmentPath(id)
    const button = (operation: OperationId, word: string, more: { step?: string } = {}, confirm?: string) =>
      operationForm(operation, { hidden: { id, ...more, next }, word, quiet: true, confirm })
    const steps = nextSteps.filter((step) => !NEEDS_MORE.has(step))
    const taken = visit.steps.at(-1)
    const isOpen = status === 'scheduled'
    const needsReason = facility.reasons.some(({ change }) => change === 'cancelled')
    return {
      title: referenceNumber,
      styles: ['board/board.css'],
      body: html`<h1>${referenceNumber}</h1>
<div class="entries"><a href="${here}" data-dialog>Open</a>
${nextSteps.includes('checked_in') ? button('appointments.check-in', 'Check in') : ''}
${steps.map((step) => button('appointments.step', capitalize(stepNames[step]), { step }))}
${taken === undefined ? '' : button('appointments.undo-step', `Undo: ${stepNames[taken.step]}`)}
${isOpen && (await may('appointments.reschedule')) ? html`<a href="${here}/change?do=reschedule" data-dialog>Reschedule</a>` : ''}
${isOpen && (await may('appointments.swap')) ? html`<a href="${here}/change?do=swap" data-dialog>Swap</a>` : ''}
${
  !isOpen
    ? ''
    : needsReason && (await may('appointments.cancel'))
      ? html`<a href="${here}" data-dialog>Cancel…</a>`
      : button('appointments.cancel', 'Cancel', {}, `Cancel the appointment ${referenceNumber}?`)
}</div>`,
    }
  },
}

/** Moves an appointment, or exchanges its slot with another one of its date: `?do=reschedule` or `?do=swap`. */
export const appointmentChangePage: ConsolePage = {
  section: 'docks',
  access: { docks: 'clerk' },
  async render({ run, params, query }) {
    const id = params['id']!
    const appointment = await run('appointments.get', { id })
    const facility = await run('facilities.get', { id: appointment.facilityId })
    const date = localDate(appointment.startTime, appointment.timeZone)
    const next = `${facilityPath(facility.code)}?date=${date}`
    const isSwap = query['do'] === 'swap'
    const title = `${isSwap ? 'Swap' : 'Reschedule'} ${appointment.referenceNumber}`
    return {
      title,
      body: html`<h1>${title}</h1>
${
  isSwap
    ? swapForm(await run('facilities.board', { id: facility.id, date }), { id, next }, facility)
    : operationForm('appointments.reschedule', {
        hidden: { id, next },
        word: 'Reschedule',
        ...rescheduleForm(appointment, facility),
      })
}
<p><a href="${appointmentPath(id)}">${appointment.referenceNumber}</a></p>`,
    }
  },
}

function swapForm(
  board: Board,
  { id, next }: { id: string; next: string },
  facility: ResultOf<'facilities.get'>,
): Promise<Html> | Html {
  const others = listByStart(board).filter(
    ({ appointment }) => appointment.id !== id && appointment.status === 'scheduled',
  )
  if (others.length === 0) return html`<p>No other appointment of this date can be swapped.</p>`
  const choices = others.map(({ door, appointment: { id: otherId, referenceNumber, localStart } }) => {
    return [otherId, `${referenceNumber}: ${localStart}, ${door.name}`] as const
  })
  return operationForm('appointments.swap', {
    hidden: { id, next },
    fields: [
      { name: 'otherId', label: 'Takes the slot of, and the other way round', choices },
      ...reasonInputs(facility, 'rescheduled'),
    ],
    word: 'Swap',
  })
}

/** Steps whose form has more than a button: the page of the appointment has them. */
const NEEDS_MORE = new Set(['checked_in', 'no_show', 'turned_away'])
