import { fieldAt, type StudioError } from '../../kernel'
import { MINUTE_MS } from '../../kernel/time'
import { formatSlot } from '../actions/take-slot'
import type { SentForm } from '../console-call'
import { hiddenFields } from '../forms/hidden-fields'
import { type Html, html } from '../html'

/** A free slot in the details of a refusal. */
interface Alternative {
  startTime: string
  endTime: string
  localStart: string
  doorId: string
  doorName: string
}

const MAX_BUTTONS = 6

/** Buttons of a form that send it again for a free slot, out of the details of its refusal; null if it has none. */
export function slotButtons({ op, fields }: SentForm, error: StudioError): Html | null {
  if (!fieldAt(op.input, 'startTime') || !fieldAt(op.input, 'doorId')) return null
  const free = error.details.flatMap(({ alternative }) => (alternative as Alternative | undefined) ?? [])
  if (free.length === 0) return null
  const word = op.id === 'appointments.reschedule' ? 'Move to' : 'Book'
  const buttons = free.slice(0, MAX_BUTTONS).map(({ startTime, endTime, localStart, doorId, doorName }) => {
    const minutes = (Date.parse(endTime) - Date.parse(startTime)) / MINUTE_MS
    const [date, time] = [localStart.slice(0, 10), localStart.slice(11)]
    const start = date === fields['targetDate'] ? time : localStart
    return html`<button type="submit" class="quiet" name="slot" value="${formatSlot({ startTime, minutes, doorId })}">${word} ${start} at ${doorName}</button>`
  })
  return html`<div class="bar offers" role="group" aria-label="Free slots">${buttons}</div>`
}

/** The refused form with these buttons, for a browser without scripts. */
export function retryForm({ action, fields }: SentForm, buttons: Html): Html {
  return html`<form method="post" action="${action}">${hiddenFields(fields)}
<p class="error" role="alert"></p>${buttons}</form>`
}
