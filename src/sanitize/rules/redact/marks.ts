import type { RemovalKind } from '../removal'

/** Lists the marks that replace removed text. */
export const marks = {
  mention: '@someone',
  email: '[email removed]',
  phone: '[phone removed]',
  account: '[account removed]',
  token: '[secret removed]',
  password: '[secret removed]',
  'private-key': '[secret removed]',
  iban: '[IBAN removed]',
  card: '[card number removed]',
  'national-id': '[ID number removed]',
  ip: '[IP address removed]',
  mac: '[MAC address removed]',
} as const satisfies Partial<Record<RemovalKind, string>>

export type Redactable = keyof typeof marks

/** Replaces an address that opens only inside the tracker, if the link had no other text. */
export const LINK_MARK = '[link removed]'

/** Returns the mark for an address that was the only text of its link. */
export function markOf(because: RemovalKind): string {
  return because in marks ? marks[because as Redactable] : LINK_MARK
}
