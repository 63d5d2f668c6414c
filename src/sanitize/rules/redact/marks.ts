import { removedMark, SOMEONE } from '../../../kernel/text/removed-mark'
import type { RemovalKind } from '../removal'

/** Lists the marks that replace removed text. */
export const marks = {
  mention: SOMEONE,
  email: removedMark('email'),
  phone: removedMark('phone'),
  account: removedMark('account'),
  token: removedMark('secret'),
  password: removedMark('secret'),
  'private-key': removedMark('secret'),
  iban: removedMark('IBAN'),
  card: removedMark('card number'),
  'national-id': removedMark('ID number'),
  ip: removedMark('IP address'),
  mac: removedMark('MAC address'),
} as const satisfies Partial<Record<RemovalKind, string>>

export type Redactable = keyof typeof marks

/** Replaces an address that opens only inside the tracker, if the link had no other text. */
export const LINK_MARK = removedMark('link')

/** Returns the mark for an address that was the only text of its link. */
export function markOf(because: RemovalKind): string {
  return because in marks ? marks[because as Redactable] : LINK_MARK
}
