/** Stands in a clean text for a person who was mentioned. */
export const SOMEONE = '@someone'

/** What stands in a clean text for a part that was removed from it, such as `[IP address removed]`. */
export function removedMark<Kind extends string>(kind: Kind): `[${Kind} removed]` {
  return `[${kind} removed]`
}

/** Matches both in a text. */
export const REMOVED_MARK = /\[[A-Za-z]{1,12}(?: [A-Za-z]{1,12}){0,2} removed\]|@someone\b/

export function isRemovedMark(text: string): boolean {
  return text === SOMEONE || text.endsWith(' removed]')
}
