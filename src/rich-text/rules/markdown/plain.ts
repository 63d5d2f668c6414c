/** Matches text that has a special meaning at the start of a line. */
const OPENING = '[\\s#+=>:-]|\\d+[.)]'

const PLAIN = new RegExp(
  `^(?: |(?!${OPENING}))(?:[^\\\\\`*_~[\\]<>&!|\\n\\t:wW]|(?<=[A-Za-z\\d])_+(?=[A-Za-z\\d])|<(?= )|>|&(?= )|!(?=[^[])|:(?!//)|[wW](?![wW]{2}\\.)|\\[(?![ xX]?\\])[\\w .-]{1,60}\\](?![(:[])|\\n(?!${OPENING}))+(?<![\\n#])$`,
)

/**
 * Returns whether text can be written unchanged anywhere in a paragraph, because no character has a special meaning in it or at the
 * start of a line. An underscore within a word, an ampersand before a space, and `[email removed]` have none.
 */
export function isPlain(text: string): boolean {
  return PLAIN.test(text)
}
