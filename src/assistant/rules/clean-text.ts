/**
 * A model's text without what no reader sees and a terminal or a database would stumble over: control characters but line feed and tab,
 * and with them the carriage returns of line ends.
 */
export function cleanText(text: string): string {
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '')
}

/** The same for a text that is kept: halves of characters become the replacement character, and blank lines at the ends go. */
export function cleanWhole(text: string): string {
  return cleanText(text)
    .replace(/\p{Surrogate}/gu, '\ufffd')
    .trim()
}
