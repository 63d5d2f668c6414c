import { type ChangeKind, changeKinds, nameChange } from '../../visits/rules/appointment-steps'

export type EventType = `appointment.${ChangeKind}`

const PREFIX = 'appointment.'
export const eventTypes = changeKinds.map((kind): EventType => `${PREFIX}${kind}`)

/** `appointment.turned_away` as people read it. */
export function nameEventType(type: EventType): string {
  return nameChange(type.slice(PREFIX.length) as ChangeKind)
}

/** Types as they are stored: `,booked,cancelled,`, so that one can be found by `kindPattern`; null for all. */
export function formatEventTypes(types: readonly EventType[] | null): string | null {
  if (types === null) return null
  return `,${changeKinds.filter((kind) => types.includes(`${PREFIX}${kind}`)).join()},`
}

export function parseEventTypes(stored: string | null): EventType[] | null {
  if (stored === null) return null
  return eventTypes.filter((type) => stored.includes(`,${type.slice(PREFIX.length)},`))
}

/** What `like` finds in stored types. The underscore of a kind matches any character, but no two kinds differ only there. */
export function kindPattern(kind: ChangeKind): string {
  return `%,${kind},%`
}
