import type { JsonSchema } from '../kernel/json-schema'

/** A shorter shape is repeated, because a reference and a definition would be longer. */
const SHORTEST_SHARED = 100

/** The keywords that hold one schema, and those that hold a list of them. */
const NESTED = ['items', 'additionalProperties'] as const
const CHOICES = ['anyOf', 'oneOf', 'allOf'] as const

/**
 * The shapes of a tool's answers: which fields there are, and of which type. Nothing is required, since `fields` keeps what the caller
 * chooses. Descriptions and bounds are left out, since the description of the API has them. What several answers have in common is in
 * `$defs` once.
 */
export function answerShapes(outputs: readonly { id: string; output: JsonSchema }[]): {
  shapes: JsonSchema[]
  $defs: Record<string, JsonSchema>
} {
  const $defs: Record<string, JsonSchema> = {}
  const distinct = new Map<string, JsonSchema>()
  for (const { id, output } of outputs) {
    const nameOf = (name: string) => `${id}-${name}`
    for (const [name, definition] of Object.entries(output.$defs ?? {}))
      $defs[nameOf(name)] = shapeOf(definition, nameOf)
    const shape = shapeOf(output, nameOf)
    distinct.set(JSON.stringify(shape), shape)
  }
  return { shapes: shareRepeats([...distinct.values()], $defs), $defs }
}

function shapeOf(schema: JsonSchema, nameOf: (definition: string) => string): JsonSchema {
  const nested = (node: unknown) => shapeOf(node as JsonSchema, nameOf)
  const shape: JsonSchema = {}
  if (typeof schema['$ref'] === 'string') shape['$ref'] = `#/$defs/${nameOf(schema['$ref'].replace('#/$defs/', ''))}`
  for (const key of ['type', 'enum', 'const']) if (key in schema) shape[key] = schema[key]
  for (const key of NESTED) if (typeof schema[key] === 'object') (shape as any)[key] = nested(schema[key])
  for (const key of CHOICES) if (Array.isArray(schema[key])) (shape as any)[key] = schema[key].map(nested)
  if (schema.properties) {
    const properties = Object.entries(schema.properties).map(([name, property]) => [name, nested(property)])
    shape.properties = Object.fromEntries(properties)
  }
  return shape
}

/** The schemas with each shape that they hold more than once moved to `$defs`, named after the property that holds it first. */
function shareRepeats(schemas: readonly JsonSchema[], $defs: Record<string, JsonSchema>): JsonSchema[] {
  const counts = new Map<string, number>()
  for (const schema of [...schemas, ...Object.values($defs)]) countShapes(schema, counts)
  const names = new Map<string, string>()

  function share(node: JsonSchema, name: string): JsonSchema {
    const signature = JSON.stringify(node)
    if (!isLong(node, signature) || counts.get(signature)! < 2) return shareWithin(node, name)
    const known = names.get(signature)
    if (known) return { $ref: `#/$defs/${known}` }
    const free = freeName(name, $defs)
    names.set(signature, free)
    // Takes the name before the shapes inside get theirs.
    $defs[free] = {}
    $defs[free] = shareWithin(node, name)
    return { $ref: `#/$defs/${free}` }
  }

  function shareWithin(node: JsonSchema, name: string): JsonSchema {
    return mapNested(node, (child, property) => share(child, property ?? name))
  }

  for (const [name, definition] of Object.entries($defs)) $defs[name] = shareWithin(definition, name)
  return schemas.map((schema) => share(schema, 'result'))
}

/** How often each shape is used. One inside of another counts once for all the places of that other one. */
function countShapes(node: JsonSchema, counts: Map<string, number>): void {
  const signature = JSON.stringify(node)
  if (isLong(node, signature)) {
    const count = counts.get(signature) ?? 0
    counts.set(signature, count + 1)
    if (count > 0) return
  }
  mapNested(node, (child) => {
    countShapes(child, counts)
    return child
  })
}

function isLong(node: JsonSchema, signature: string): boolean {
  return signature.length >= SHORTEST_SHARED && (node.properties !== undefined || 'enum' in node)
}

/** The schema with each schema directly inside of it replaced; `property` is the name of the one that is a property. */
function mapNested(node: JsonSchema, replace: (child: JsonSchema, property?: string) => JsonSchema): JsonSchema {
  const mapped: JsonSchema = { ...node }
  for (const key of NESTED) if (typeof node[key] === 'object') (mapped as any)[key] = replace(node[key] as JsonSchema)
  for (const key of CHOICES) {
    const choices = node[key] as JsonSchema[] | undefined
    if (choices) mapped[key] = choices.map((choice) => replace(choice)) as any
  }
  if (node.properties) {
    const properties = Object.entries(node.properties).map(([name, property]) => [name, replace(property, name)])
    mapped.properties = Object.fromEntries(properties)
  }
  return mapped
}

function freeName(wanted: string, taken: Record<string, unknown>): string {
  if (!(wanted in taken)) return wanted
  for (let n = 2; ; n++) if (!(`${wanted}${n}` in taken)) return `${wanted}${n}`
}
