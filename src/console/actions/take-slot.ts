import type { Fields } from '../forms/form'

/** A free slot on a button of a form: its start, its length and its door. */
export interface OfferedSlot {
  startTime: string
  minutes: number
  doorId: string
}

export function formatSlot({ startTime, minutes, doorId }: OfferedSlot): string {
  return `${startTime} ${minutes} ${doorId}`
}

/** On the button that asks for the first free slot of the date. */
export const FIRST_SLOT = 'first'

/** The input of an operation for a slot that its user has chosen by a button, in place of that of the form. */
export function takeSlot(input: Fields, slot: unknown): Fields {
  if (typeof slot !== 'string') return input
  const { startTime: _, doorId: __, ...elsewhere } = input
  if (slot === FIRST_SLOT) return elsewhere
  const [startTime, minutes, ...door] = slot.split(' ')
  const { targetDate, notBefore, notAfter, slotId, ...rest } = elsewhere
  // A chosen slot had a length of its own.
  const length = slotId === undefined ? {} : { durationMinutes: Number(minutes) }
  return { ...rest, ...length, startTime, doorId: door.join(' ') }
}
