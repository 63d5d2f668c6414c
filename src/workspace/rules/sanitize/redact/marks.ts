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
} as const satisfies Partial<Record<RemovalKind, string>>

export type Redactable = keyof typeof marks

/** The source of an expression that finds every bracketed mark. */
export const MARK_PATTERN = '\\[(?:email|phone|account|secret) removed\\]'
