import * as z from 'zod'
import { storableText } from '../../kernel'
import { ITEM_COLUMNS, listSortFields } from '../rules/item-columns'

/** `state,-changedAt,Customer`; a list of fields is accepted too, as from a flag that is repeated. Only the workspace knows fields of the tracker. */
export const ItemSort = z.preprocess(
  joinFields,
  z
    .string()
    .max(1_000)
    .refine((sort) => listSortFields(sort).length > 0, `must name a field. Valid fields: ${ITEM_COLUMNS.join(', ')}`),
)

/** `id,type,Customer`: fields of every work item, and further fields of the tracker, whose names only the workspace knows. */
export const ItemColumns = z.preprocess(splitFields, z.array(storableText(200).min(1)).min(1).max(50))

/** The names of further fields of the tracker. */
export const CustomFieldNames = z.preprocess(splitFields, z.array(z.string().min(1).max(200)).max(50))

function joinFields(given: unknown): unknown {
  return Array.isArray(given) ? given.join(',') : given
}

function splitFields(given: unknown): unknown {
  const texts = typeof given === 'string' ? [given] : given
  if (!Array.isArray(texts)) return texts
  return texts.flatMap((text) => (typeof text === 'string' ? text.split(',').map((name) => name.trim()) : [text]))
}
