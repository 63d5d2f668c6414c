import { type ChangeKind, changeKinds, nameChange } from '../../visits/rules/appointment-steps'

/** What happened to an entry of the waitlist. An offer that is accepted, or whose entry is removed, ends with the entry. */
export const waitlistKinds = ['offered', 'offer_ended', 'removed'] as const
export type WaitlistKind = (typeof waitlistKinds)[number]

/** Which table an event is in: its appointment was changed, or its entry of the waitlist. */
export type EventSource = 'appointment' | 'waitlist'

export type AppointmentEventType = `appointment.${ChangeKind}`
export type WaitlistEventType = `waitlist.${WaitlistKind}`
export type EventType = AppointmentEventType | WaitlistEventType

const PREFIX = 'appointment.'
export const appointmentEventTypes = changeKinds.map((kind): AppointmentEventType => `${PREFIX}${kind}`)
export const waitlistEventTypes = waitlistKinds.map((kind): WaitlistEventType => `waitlist.${kind}`)
export const eventTypes: readonly EventType[] = [...appointmentEventTypes, ...waitlistEventTypes]

const waitlistNames: Record<WaitlistKind, string> = {
  offered: 'slot offered',
  offer_ended: 'offer ended',
  removed: 'removed from the waitlist',
}

/** `appointment.turned_away` as people read it. */
export function nameEventType(type: EventType): string {
  return isWaitlistType(type)
    ? waitlistNames[type.slice('waitlist.'.length) as WaitlistKind]
    : nameChange(type.slice(PREFIX.length) as ChangeKind)
}

export function isWaitlistType(type: EventType): type is WaitlistEventType {
  return (waitlistEventTypes as readonly string[]).includes(type)
}

/** An event of an appointment is stored as the kind of its change. */
const toStoredType = (type: EventType) => (isWaitlistType(type) ? type : type.slice(PREFIX.length))

/** Types as they are stored: `,booked,cancelled,`, so that one can be found by `eventPattern`; null for all. */
export function formatEventTypes(types: readonly EventType[] | null): string | null {
  if (types === null) return null
  return `,${eventTypes
    .filter((type) => types.includes(type))
    .map(toStoredType)
    .join()},`
}

export function parseEventTypes(stored: string | null): EventType[] | null {
  if (stored === null) return null
  return eventTypes.filter((type) => stored.includes(`,${toStoredType(type)},`))
}

/** What `like` finds in stored types. The underscore of a type matches any character, but no two types differ only there. */
export function eventPattern(type: EventType): string {
  return `%,${toStoredType(type)},%`
}

/** Identifies an event among those of both tables: `12`, `w12`. */
export function formatEventId(source: EventSource, id: number): string {
  return source === 'waitlist' ? `w${id}` : String(id)
}

export function parseEventId(text: string): { source: EventSource; eventId: number } {
  return text.startsWith('w')
    ? { source: 'waitlist', eventId: Number(text.slice(1)) }
    : { source: 'appointment', eventId: Number(text) }
}
