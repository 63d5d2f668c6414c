import type { ResultOf } from '../../catalog'
import { formatState } from '../../docks'
import { type Html, html } from '../html'

/** What a state means to its reader. Each has a color and, unless another is chosen, a shape: never color alone. */
export type Tone = 'plain' | 'info' | 'good' | 'warn' | 'bad' | 'off'

/** Outlines in a square of 12 units. */
const shapes = {
  ring: 'M6 1.75a4.25 4.25 0 1 0 0 8.5 4.25 4.25 0 0 0 0-8.5Z',
  half: 'M6 1.75a4.25 4.25 0 1 0 0 8.5 4.25 4.25 0 0 0 0-8.5Zm0 1.5v5.5',
  check: 'M2 6.5 4.75 9.25 10 3.25',
  triangle: 'M6 1.75 10.75 10.25H1.25ZM6 5v2.25',
  cross: 'm2.75 2.75 6.5 6.5m0-6.5-6.5 6.5',
  dash: 'M2.25 6h7.5',
  clock: 'M6 1.75a4.25 4.25 0 1 0 0 8.5 4.25 4.25 0 0 0 0-8.5ZM6 3.75V6l1.75 1.25',
  door: 'M2.75 10.25v-8.5h6.5v8.5M1.25 10.25h9.5M7 6.25v.01',
} as const

export type Shape = keyof typeof shapes

const shapeOf: Record<Tone, Shape> = {
  plain: 'ring',
  info: 'half',
  good: 'check',
  warn: 'triangle',
  bad: 'cross',
  off: 'dash',
}

/** The shape alone, beside a word that says the same. */
export function shape(name: Shape): Html {
  return html`<svg class="shape" viewBox="0 0 12 12" aria-hidden="true"><path d="${shapes[name]}"/></svg>`
}

/** A state as a color, a shape and a word. */
export function badge(tone: Tone, text: string | number, options: { shape?: Shape; title?: string } = {}): Html {
  const title = options.title === undefined ? '' : html` title="${options.title}"`
  return html`<span class="badge ${tone}"${title}>${shape(options.shape ?? shapeOf[tone])} ${text}</span>`
}

type StateCategory = NonNullable<ResultOf<'items.list'>[number]['stateCategory']>

const toneOfCategory: Record<StateCategory, Tone> = {
  Proposed: 'plain',
  InProgress: 'info',
  Resolved: 'info',
  Completed: 'good',
  Removed: 'off',
}

/** The state of a work item, in the words of its tracker. */
export function itemState(state: string, category: StateCategory | null): Html {
  return badge(category === null ? 'plain' : toneOfCategory[category], state)
}

/** The tone and the shape of an appointment: of its last step, or of its status. */
export function appointmentLook({ status, step, conflict = null }: AppointmentLook): { tone: Tone; shape: Shape } {
  if (conflict !== null) return { tone: 'bad', shape: 'triangle' }
  if (status === 'cancelled') return { tone: 'off', shape: 'dash' }
  if (step === 'no_show' || step === 'turned_away') return { tone: 'bad', shape: 'cross' }
  if (status === 'completed') return { tone: 'good', shape: 'check' }
  if (step === 'checked_in') return { tone: 'warn', shape: 'clock' }
  if (step !== null) return { tone: 'info', shape: 'door' }
  return { tone: 'plain', shape: 'ring' }
}

export type AppointmentLook = Parameters<typeof formatState>[0] & { conflict?: unknown }

/** The state of an appointment, and that it is in conflict. */
export function appointmentState(appointment: AppointmentLook): Html {
  const { tone, shape } = appointmentLook(appointment)
  const state = formatState(appointment)
  const inConflict = (appointment.conflict ?? null) !== null
  return badge(tone, inConflict ? `in conflict (${state})` : state, { shape })
}
