/** Removes control characters except line feeds and tabs, because they can harm a terminal or a database. */
export function cleanText(text: string): string {
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '')
}

/** Also replaces unpaired surrogates with the replacement character, and trims the text. For texts that are saved. */
export function cleanWholeText(text: string): string {
  return cleanText(text)
    .replace(/\p{Surrogate}/gu, '\ufffd')
    .trim()
}
