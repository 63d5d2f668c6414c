import * as z from 'zod'
import { createPageShape, PAGE_INFO } from '../../services/requests/graphql-pages'
import { presentNodes } from '../present-nodes'
import type { Board, BoardField } from './project-board'

/** A value has the field of its kind. The title is a text as well. */
const WireValue = z.object({
  number: z.number().nullish(),
  text: z.string().nullish(),
  date: z.string().nullish(),
  option: z.string().nullish(),
  title: z.string().nullish(),
  field: z.object({ id: z.string().default('') }).default({ id: '' }),
})

const WireBoardItem = z.object({
  id: z.string(),
  isArchived: z.boolean().default(false),
  project: z.object({ id: z.string() }),
  fieldValues: presentNodes(WireValue),
})
type WireBoardItem = z.output<typeof WireBoardItem>

export const WireBoardItems = createPageShape(WireBoardItem.nullable())

const FIELD = 'field { ... on ProjectV2FieldCommon { id } }'

/** A page of the boards of an issue with its values there. Most issues are on few boards. */
export function selectBoardItems(size: number, after: string | null = null): string {
  const cursor = after === null ? '' : `, after: ${JSON.stringify(after)}`
  return (
    `projectItems(first: ${size}${cursor}, includeArchived: true) { ${PAGE_INFO} nodes { id isArchived project { id } ` +
    'fieldValues(first: 100) { nodes { ' +
    `... on ProjectV2ItemFieldNumberValue { number ${FIELD} } ... on ProjectV2ItemFieldTextValue { text ${FIELD} } ` +
    `... on ProjectV2ItemFieldDateValue { date ${FIELD} } ... on ProjectV2ItemFieldSingleSelectValue { option: name ${FIELD} } ` +
    `... on ProjectV2ItemFieldIterationValue { title ${FIELD} } } } } }`
  )
}

/** An issue on the board. */
export interface BoardItem {
  id: string
  isArchived: boolean
  /** By the ID of the field. */
  values: ReadonlyMap<string, string | number>
}

/** The issue on one of its boards; null if it is not there. */
export function findBoardItem(items: readonly (WireBoardItem | null)[], board: Pick<Board, 'id'>): BoardItem | null {
  const item = items.find((one) => one?.project.id === board.id)
  if (!item) return null
  const values = item.fieldValues.nodes.flatMap(({ field, number, text, date, option, title }) => {
    const value = number ?? text ?? date ?? option ?? title ?? null
    return value === null || field.id === '' ? [] : [[field.id, value] as const]
  })
  return { id: item.id, isArchived: item.isArchived, values: new Map(values) }
}

/** The value of a field with the type that it must have. */
export function readNumber(item: BoardItem | null, field: BoardField | null): number | null {
  const value = field && item?.values.get(field.id)
  return typeof value === 'number' ? value : null
}

export function readText(item: BoardItem | null, field: BoardField | null): string | null {
  const value = field && item?.values.get(field.id)
  return typeof value === 'string' ? value : null
}
