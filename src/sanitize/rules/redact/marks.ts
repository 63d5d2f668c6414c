import type { RemovalKind } from '../removal'

/** What stands in the place of something that was taken out of a text. */
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

/** Stands for an address that opens only inside the tracker, where the address was all the text there was. */
export const LINK_MARK = '[link removed]'

/** What stands in the place of an address that was all the text there was. */
export function markOf(because: RemovalKind): string {
  return because in marks ? marks[because as Redactable] : LINK_MARK
}

/** Sources of expressions for what stands between the brackets of a mark, and for the whole of one. */
export const MARK_WORDS =
  '(?:email|phone|account|secret|link|IBAN|card number|ID number|IP address|MAC address) removed'
export const MARK_PATTERN = `\\[${MARK_WORDS}\\]`
