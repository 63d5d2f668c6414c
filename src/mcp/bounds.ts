/** Entries of a list, where the caller says nothing. */
export const DEFAULT_LIMIT = 20
export const MAX_ENTRIES = 200

/** Characters of an answer: what a model can take in at once without forgetting why it asked. */
export const MAX_CHARACTERS = 60_000
