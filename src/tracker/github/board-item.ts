import * as z from 'zod'
import { nodes } from '../services/requests/graphql-pages'

const NAMES = {
  points: ['story points', 'storypoints', 'points', 'estimate', 'size'],
  iteration: ['sprint', 'iteration'],
}

/** The field with the first of the names. */
function findByName<Field extends { name: string }>(fields: readonly Field[], names: readonly string[]): Field | null {
  return names.flatMap((name) => fields.filter((field) => field.name.trim().toLowerCase() === name))[0] ?? null
}

/** Chooses the field of story points among the number fields of a board, or among those that have a value. */
export function choosePointsField<Field extends { name: string }>(fields: readonly Field[]): Field | null {
  return findByName(fields, NAMES.points)
}

/** Chooses the field of the iteration by its name, or else the first one. */
export function chooseIterationField<Field extends { name: string }>(fields: readonly Field[]): Field | null {
  return findByName(fields, NAMES.iteration) ?? fields[0] ?? null
}

export const WireBoardItem = z.object({
  id: z.string(),
  project: z.object({ number: z.int(), owner: z.object({ login: z.string().optional() }) }),
  fieldValues: nodes(
    z.object({
      number: z.number().nullish(),
      title: z.string().nullish(),
      field: z.object({ name: z.string().default('') }).default({ name: '' }),
    }),
  ),
})
type WireBoardItem = z.output<typeof WireBoardItem>

/** The values of an issue on its boards. */
export const BOARD_ITEMS =
  'projectItems(first: 5, includeArchived: false) { nodes { id project { number owner { ... on Actor { login } } } ' +
  'fieldValues(first: 30) { nodes { ' +
  '... on ProjectV2ItemFieldNumberValue { number field { ... on ProjectV2FieldCommon { name } } } ' +
  '... on ProjectV2ItemFieldIterationValue { title field { ... on ProjectV2FieldCommon { name } } } } } } }'

/** The issue on one board. Boards of other owners may have the same number. */
export function findBoardItem(
  items: readonly (WireBoardItem | null)[] | undefined,
  { owner, board }: { owner: string; board: number | null },
): { id: string; points: number | null; iteration: string | null } | null {
  const item = items?.find(
    (one) => one?.project.number === board && one?.project.owner.login?.toLowerCase() === owner.toLowerCase(),
  )
  if (!item) return null
  const values = item.fieldValues.nodes.map((one) => ({ ...one, name: one.field.name }))
  const points = choosePointsField(values.filter(({ number }) => number != null))
  const iteration = chooseIterationField(values.filter(({ title }) => title != null))
  return { id: item.id, points: points?.number ?? null, iteration: iteration?.title ?? null }
}
