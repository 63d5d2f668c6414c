import * as z from 'zod'

const isKeptAsItIs = (text: string) => !/[\0\p{Surrogate}]/u.test(text)

/** Text that every engine keeps as it is: PostgreSQL takes no U+0000, and UTF-8 has no half of a surrogate pair. */
export function text(most: number) {
  return z.string().max(most).refine(isKeptAsItIs, 'must not hold U+0000 or half of a character')
}

/** The fields of a draft as a caller gives them: each may be left out, and null empties it. */
export const draftFields = {
  title: text(1_000).optional().describe('Title'),
  description: text(1_000_000).nullable().optional().describe('Description, in Markdown'),
  acceptanceCriteria: text(1_000_000).nullable().optional().describe('Acceptance criteria, in Markdown'),
  storyPoints: z.number().min(0).nullable().optional().describe('Story points'),
  assignedTo: text(1_000).nullable().optional().describe('Who shall do it'),
  areaPath: text(1_000).nullable().optional().describe('Area path'),
  iterationPath: text(1_000).nullable().optional().describe('Iteration path'),
  tags: text(4_000).nullable().optional().describe('Tags in one text: "a; b"'),
}

const criterion = text(1_000).min(1).nullable().optional()

/** The criteria of a filter as a caller gives them. */
export const FilterInput = z.strictObject({
  state: criterion.describe('Only items in this state (any case)'),
  assignedTo: criterion.describe('Only items of this person, by name or account; @me is the configured user'),
  search: criterion.describe('Only items whose ID or texts hold all these words'),
})

export const folderName = text(200).trim().min(1).describe('Name of the folder')

export const filterName = text(200).trim().min(1).describe('Name of the filter')
