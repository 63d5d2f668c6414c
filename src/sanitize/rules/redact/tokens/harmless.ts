const UUID = '[\\da-fA-F]{8}-(?:[\\da-fA-F]{4}-){3}[\\da-fA-F]{12}'

/**
 * Matches texts that are too short or too regular for a token, also an encoded one: a path of words without digits, a path of UUIDs
 * and parts of up to 14 characters, a UUID, a network address, a name, and up to 11 characters. A path may have a file ending. A
 * dot elsewhere may belong to a host, and capitals to base64.
 */
const USUAL = new RegExp(
  `^(?:(?:(?:/(?:[a-z_-]{0,31}|\\{[a-z]{1,30}\\}))+|(?:/(?:${UUID}|\\{[a-z]{1,30}\\}|[a-z\\d-]{0,14}))+)(?:\\.[a-z]{1,5})?|${UUID}|[\\d.]{1,15}|(?:[\\da-f]{0,4}:){2,7}[\\da-f.]{0,15}|[a-z_]{1,24}|[\\w./?&=#-]{0,11})$`,
)

/** Matches words without which such a text has no label of a password or key, and no address of a web hook. */
const LABEL =
  /pass|pwd|p\/?w|kenn|mot|senha|wacht|secret|token|key|cred|sig|pat(?!ch)|auth(?!or)|jwt|sas|session|hook|code|bearer/i

/** Matches what a log names a caller. */
const CALLER = new RegExp(`^(?:token|key) ${UUID}$`)

/**
 * Returns whether certainly no rule finds a secret. Most texts of a log and most parts of addresses are such, and the rules take
 * longer.
 */
export function isHarmless(text: string): boolean {
  return USUAL.test(text) ? !LABEL.test(text) : CALLER.test(text)
}
