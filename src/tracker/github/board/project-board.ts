import * as z from 'zod'
import { equalsIgnoringCase } from '../../../kernel/text/text'
import { DAY_MS } from '../../../kernel/time'
import { toInstant, WireInstant } from '../../services/instants'
import { TrackerError } from '../../services/requests/tracker-error'
import type { TrackerProcess } from '../../tracker'
import { presentNodes } from '../present-nodes'

const NAMES = {
  points: ['story points', 'storypoints', 'points', 'estimate', 'size'],
  iteration: ['sprint', 'iteration'],
  status: ['status'],
}

/** The kinds of fields that have values of their own. All others show what the issue has. */
const KINDS = {
  NUMBER: 'number',
  TEXT: 'text',
  DATE: 'date',
  SINGLE_SELECT: 'option',
  ITERATION: 'iteration',
} as const

const WireIteration = z.object({ id: z.string(), title: z.string(), startDate: WireInstant, duration: z.number() })
type WireIteration = z.output<typeof WireIteration>

const WireBoardField = z.object({
  id: z.string(),
  name: z.string().default(''),
  dataType: z.string().default(''),
  options: z.array(z.object({ id: z.string(), name: z.string(), color: z.string().nullish() })).optional(),
  configuration: z
    .object({ iterations: z.array(WireIteration), completedIterations: z.array(WireIteration) })
    .optional(),
})
type WireBoardField = z.output<typeof WireBoardField>

export interface BoardField {
  id: string
  name: string
  /** Only fields of the organization have several options. */
  kind: (typeof KINDS)[keyof typeof KINDS] | 'options'
  /** What can be chosen, in the order of the board; null if any value can be set. */
  options: readonly { id: string; name: string; color?: string | null | undefined }[] | null
}

/** A board of GitHub Projects. */
export interface Board {
  id: string
  /** The fields with values of their own, without the next three. */
  fields: readonly BoardField[]
  points: BoardField | null
  iteration: BoardField | null
  status: BoardField | null
  iterations: readonly WireIteration[]
}

export const WireBoard = z
  .object({ id: z.string(), fields: presentNodes(WireBoardField.partial({ id: true })) })
  .transform(({ id, fields }): Board => {
    const wires = fields.nodes.flatMap((field) => (field.id === undefined ? [] : [field as WireBoardField]))
    const all = wires.flatMap((field) => toField(field) ?? [])
    const points = findByName(all, 'number', NAMES.points)
    const iteration =
      findByName(all, 'iteration', NAMES.iteration) ?? all.find(({ kind }) => kind === 'iteration') ?? null
    const status = findByName(all, 'option', NAMES.status)
    return {
      id,
      fields: all.filter((field) => field !== points && field !== iteration && field !== status),
      points,
      iteration,
      status,
      iterations: listIterations(wires.find((field) => field.id === iteration?.id)),
    }
  })

function toField(field: WireBoardField): BoardField | null {
  const kind = Object.hasOwn(KINDS, field.dataType) ? KINDS[field.dataType as keyof typeof KINDS] : null
  if (kind === null) return null
  const iterations = listIterations(field).map(({ id, title }) => ({ id, name: title }))
  // GitHub lists no options of a field that shows a field of the organization. It is set on the issue itself.
  if (kind === 'option' && !field.options?.length) return null
  const options = kind === 'option' ? (field.options ?? []) : kind === 'iteration' ? iterations : null
  return { id: field.id, name: field.name, kind, options }
}

function listIterations(field: WireBoardField | undefined): WireIteration[] {
  const { completedIterations = [], iterations = [] } = field?.configuration ?? {}
  return [...completedIterations, ...iterations]
}

/** The field of a kind with the first of the names. */
function findByName(fields: readonly BoardField[], kind: BoardField['kind'], names: readonly string[]) {
  const ofKind = fields.filter((field) => field.kind === kind)
  return names.flatMap((name) => ofKind.filter((field) => equalsIgnoringCase(field.name.trim(), name)))[0] ?? null
}

/** Selects the board from its owner, who is that of the repository. */
export function selectOwnBoard(number: number): string {
  const iterations = 'id title startDate duration'
  return (
    `owner { ... on ProjectV2Owner { projectV2(number: ${number}) { id fields(first: 100) { nodes { ` +
    '... on ProjectV2FieldCommon { id name dataType } ... on ProjectV2SingleSelectField { options { id name color } } ' +
    `... on ProjectV2IterationField { configuration { iterations { ${iterations} } completedIterations { ${iterations} } } } } } } } }`
  )
}

/** Without its board, all values of issues would seem to be gone. */
export function createMissingBoardError(number: number): TrackerError {
  return new TrackerError('invalid', `Project board ${number} does not exist, or your token cannot read it.`, {
    hint: 'Set tracker.board to the number in the address of the board, or remove the setting.',
  })
}

export function listBoardIterations(board: Board): TrackerProcess['iterations'] {
  return board.iterations.map(({ title, startDate, duration }) => ({
    path: title,
    startDate: toInstant(startDate),
    finishDate: toInstant(new Date(Date.parse(startDate) + (duration - 1) * DAY_MS).toISOString()),
  }))
}
