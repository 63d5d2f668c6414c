import * as z from 'zod'
import { placeOfFields, selectFields } from '../../src/kernel/input/answer-fields'
import type { JsonSchema } from '../../src/kernel/input/json-schema'
import { formatJson } from './format-json'

/** The result as one JSON value. `fields` selects fields of the entries of an array, of the object, or of the entries of its only list. */
export function renderJson(result: unknown, fields: string[] | null, schema: z.ZodType): string {
  const selected = fields ? selectFields(result, fields, { place: findFields(fields, schema), absent: null }) : result
  return formatJson(selected)
}

/** Throws for a field that the result cannot have. The names come from the schema, so this can be checked before the command runs. */
export function requireFields(fields: string[], schema: z.ZodType): void {
  findFields(fields, schema)
}

function findFields(fields: string[], schema: z.ZodType) {
  const shape = z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' }) as JsonSchema
  return placeOfFields(fields, shape, '--fields')
}
