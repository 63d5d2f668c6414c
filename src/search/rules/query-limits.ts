import { StudioError } from '../../kernel/errors'

/** How many different parts of each kind a query may have. A word or an ID is looked up; the others are compared with all entities. */
export const MAX_QUERY_PARTS = {
  phrases: 64,
  excluded: 64,
  filters: 64,
  fields: 16,
  ids: 256,
  words: 256,
} as const

type Kind = keyof typeof MAX_QUERY_PARTS

const NAMES: Record<Kind, string> = {
  phrases: 'different phrases in quotation marks',
  excluded: 'different exclusions (-word)',
  filters: 'different qualifiers (name:value)',
  fields: 'different conditions on fields (field:name=value)',
  ids: 'different IDs',
  words: 'different words',
}

/** Throws `too_complex` if the query has too many parts of a kind. Equal parts must have been merged. */
export function checkQueryParts(query: Readonly<Record<Kind, readonly unknown[]>>): void {
  for (const [kind, most] of Object.entries(MAX_QUERY_PARTS) as [Kind, number][]) {
    const { length } = query[kind]
    if (length <= most) continue
    throw new StudioError('too_complex', `The query has ${length} ${NAMES[kind]}. At most ${most} are allowed.`, {
      hint: `Search with fewer ${NAMES[kind]}.`,
    })
  }
}
