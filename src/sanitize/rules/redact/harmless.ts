const UUID = '[\\da-f]{8}-(?:[\\da-f]{4}-){3}[\\da-f]{12}'

/** Matches a path of short words and UUIDs, a name with a UUID, a network address, and one word. */
const USUAL = new RegExp(
  `^(?:(?:/(?:${UUID}|\\{[a-z]{1,30}\\}|[a-z\\d_-]{0,14}(?:\\.[a-z]{1,5})?|[a-z_-]{15,31}))+|(?:[a-z]{1,10} )?${UUID}|[\\d.]{1,15}|(?:[\\da-f]{0,4}:){2,7}[\\da-f.]{0,15}|[a-z_]{1,24})$`,
  'i',
)

/** Matches a parameter that is too short for a token and has no word of a label. */
const SHORT = /^(?!.*(?:pass|pwd|pw|kenn|mot|senha|wacht|secret|token|key|cred|sig|pat|auth))[\w./?&=#-]{0,14}$/i

/** Returns whether certainly no rule finds a secret. Most texts of a log and parts of an address are such, and the rules are slower. */
export function isHarmless(text: string): boolean {
  return USUAL.test(text) || SHORT.test(text)
}
