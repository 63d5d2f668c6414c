/** Replaces a mentioned person in a clean text. */
export const SOMEONE = '@someone'

/** Replaces a removed part of a clean text, such as `[IP address removed]`. */
export function removedMark<Kind extends string>(kind: Kind): `[${Kind} removed]` {
  return `[${kind} removed]`
}

/** Matches both in a text. */
export const REMOVED_MARK = /\[[A-Za-z]{1,12}(?: [A-Za-z]{1,12}){0,2} removed\]|@someone\b/

export function isRemovedMark(text: string): boolean {
  return text === SOMEONE || text.endsWith(' removed]')
}
