/** Entries of a list by default. */
export const DEFAULT_LIMIT = 20
export const MAX_ENTRIES = 200

/** Characters of an answer: as much as a model can read at once. */
export const MAX_CHARACTERS = 60_000
