/** Means something at the start of a line. */
const OPENING = '[\\s#+=>:-]|\\d+[.)]'

const PLAIN = new RegExp(
  `^(?: |(?!${OPENING}))(?:[^\\\\\`*_~[\\]<>&!|\\n\\t:wW]|(?<=[A-Za-z\\d])_+(?=[A-Za-z\\d])|<(?= )|>|&(?= )|!(?=[^[])|:(?!//)|[wW](?![wW]{2}\\.)|\\[(?![ xX]?\\])[\\w .-]{1,60}\\](?![(:[])|\\n(?!${OPENING}))+(?<![\\n#])$`,
)

/**
 * Whether text is written as it is, wherever in a paragraph it stands: no sign in it, and none at the start of one of its
 * lines, means anything. An underscore within a word, an ampersand before a blank, `[email removed]` mean nothing.
 */
export function isPlain(text: string): boolean {
  return PLAIN.test(text)
}
