import * as z from 'zod'
import { equalsIgnoringCase } from '../../kernel/text/text'
import { DAY_MS } from '../../kernel/time'
import { toInstant, WireInstant } from '../services/instants'
import { nodes } from '../services/requests/graphql-pages'
import type { TrackerProcess } from '../tracker'
import { chooseIterationField, choosePointsField } from './board-item'
import { fieldNames } from './map-issue'

const WireIteration = z.object({ id: z.string(), title: z.string(), startDate: WireInstant, duration: z.number() })

/** A field of a board. Only number fields have this type, and only iterations have a configuration. */
const WireBoardField = z.object({
  id: z.string().optional(),
  name: z.string().default(''),
  dataType: z.string().optional(),
  configuration: z
    .object({ iterations: z.array(WireIteration), completedIterations: z.array(WireIteration) })
    .optional(),
})

/** A board of GitHub Projects, as far as it is about points and iterations. The ID of a field that it does not have is null. */
export const WireBoard = z
  .object({ id: z.string(), fields: nodes(WireBoardField.nullable()) })
  .transform(({ id, fields }) => {
    const all = fields.nodes.flatMap((field) => field ?? [])
    const points = choosePointsField(all.filter(({ dataType }) => dataType === 'NUMBER'))
    const iteration = chooseIterationField(all.filter(({ configuration }) => configuration !== undefined))
    const { completedIterations = [], iterations = [] } = iteration?.configuration ?? {}
    return {
      id,
      pointsFieldId: points?.id ?? null,
      iterationFieldId: iteration?.id ?? null,
      iterations: [...completedIterations, ...iterations],
    }
  })
export type Board = z.output<typeof WireBoard>

export function selectBoard(number: number): string {
  const iterations = 'id title startDate duration'
  return (
    `projectV2(number: ${number}) { id fields(first: 100) { nodes { ... on ProjectV2Field { id name dataType } ` +
    `... on ProjectV2IterationField { id name configuration { iterations { ${iterations} } completedIterations { ${iterations} } } } } } }`
  )
}

export function listBoardIterations(board: Board): TrackerProcess['iterations'] {
  return board.iterations.map(({ title, startDate, duration }) => ({
    path: title,
    startDate: toInstant(startDate),
    finishDate: toInstant(new Date(Date.parse(startDate) + (duration - 1) * DAY_MS).toISOString()),
  }))
}

/** A value of an issue on the board; null clears it. */
export interface BoardValue {
  projectId: string
  fieldId: string
  value: { number: number } | { iterationId: string } | null
}

/** Converts the points and the iteration of an issue to values of the board. Without a board there are none. */
export function resolveBoardValues(
  fields: Readonly<Record<string, unknown>>,
  board: Board | null,
): { values: BoardValue[]; problems: string[] } {
  const { [fieldNames.points]: points, [fieldNames.milestone]: title } = fields
  const values: BoardValue[] = []
  if (board === null) return { values, problems: [] }
  const projectId = board.id
  if (points !== undefined && board.pointsFieldId !== null)
    values.push({ projectId, fieldId: board.pointsFieldId, value: points === null ? null : { number: Number(points) } })
  if (title === undefined) return { values, problems: [] }
  const { iterationFieldId: fieldId } = board
  if (fieldId === null) return { values, problems: ['The project board has no iteration field.'] }
  const found = board.iterations.find((one) => equalsIgnoringCase(one.title, String(title)))
  if (title !== null && !found) return { values, problems: [`The project board has no iteration "${title}".`] }
  values.push({ projectId, fieldId, value: found ? { iterationId: found.id } : null })
  return { values, problems: [] }
}
