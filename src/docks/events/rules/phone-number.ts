/** E.164 allows 15 digits. */
const DIALED = /^\+?[0-9]{5,15}$/
/** What people write between digits, and invisible characters that are copied with a number. */
const BETWEEN = /[\s\p{Pd}\p{Cf}()[\]./]/gu

/**
 * `+491701234567` of `+49 (0) 170 / 123-4567`. Null if the text is no telephone number. No country code is added: a number without one stays
 * a national number.
 */
export function toDialedNumber(text: string): string | null {
  const isInternational = text.trimStart().startsWith('+')
  // The zero in brackets is dialed within the country only.
  const dialed = (isInternational ? text.replace('(0)', '') : text).replace(BETWEEN, '')
  return DIALED.test(dialed) ? dialed : null
}
