import type { JsonSchema } from '../../kernel/input/json-schema'

/** A JSON Schema as a short text for a model: `{ id: integer, tags: string[], parentId: integer | null }`. */
export function shapeText(schema: JsonSchema, definitions: Record<string, JsonSchema> = {}): string {
  const known = { ...definitions, ...schema.$defs }
  if (typeof schema['$ref'] === 'string') return refText(schema['$ref'], known)
  if ('const' in schema) return JSON.stringify(schema['const'])
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  const choices = schema.anyOf ?? (schema['oneOf'] as JsonSchema[] | undefined)
  if (choices) return choices.map((choice) => shapeText(choice, known)).join(' | ')
  if (Array.isArray(schema.type))
    return schema.type.map((type) => (type === 'null' ? 'null' : shapeText({ ...schema, type }, known))).join(' | ')
  if (schema.type === 'array') return arrayText(schema, known)
  if (schema.type === 'object') return objectText(schema, known)
  return schema.type ?? 'any'
}

function arrayText({ items }: JsonSchema, known: Record<string, JsonSchema>): string {
  const entry = shapeText(items ?? {}, known)
  return /^[^{]* \| /.test(entry) ? `(${entry})[]` : `${entry}[]`
}

function objectText(
  { properties, required = [], additionalProperties }: JsonSchema,
  known: Record<string, JsonSchema>,
) {
  if (!properties || Object.keys(properties).length === 0) {
    return additionalProperties ? `{ [name]: ${shapeText(additionalProperties as JsonSchema, known)} }` : '{}'
  }
  const fields = Object.entries(properties).map(
    ([name, property]) => `${name}${required.includes(name) ? '' : '?'}: ${shapeText(property, known)}`,
  )
  return `{ ${fields.join(', ')} }`
}

/** A recursive schema is written once; inside of itself it is only named. */
function refText(ref: string, known: Record<string, JsonSchema>): string {
  const name = ref.split('/').at(-1)!
  const { [name]: definition, ...others } = known
  return definition ? shapeText(definition, others) : 'the same shape'
}
