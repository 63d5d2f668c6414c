import type { Tool } from '@modelcontextprotocol/server'
import type { JsonSchema } from '../kernel/input/json-schema'
import { liftRepeats } from '../kernel/input/lift-repeats'
import { isRecord, mapValues } from '../kernel/json'
import { groupBy } from '../kernel/work/group-by'
import type { AgentAction } from './actions'
import { DEFAULT_LIMIT, MAX_ENTRIES } from './bounded-answer'

/** The tools of the actions that a caller may use, in the order of the catalog. */
export function toolsOf(actions: readonly AgentAction[]): Tool[] {
  return [...groupBy(actions, ({ tool }) => tool.name).values()].map(toolOf)
}

function toolOf(actions: AgentAction[]): Tool {
  const { name, title, about } = actions[0]!.tool
  const { effect } = actions[0]!
  return {
    name,
    title,
    description: [`${title}: ${about}.`, '', ...actions.map(actionLine)].join('\n'),
    inputSchema: inputSchemaOf(actions),
    outputSchema: outputSchemaOf(actions),
    annotations: {
      title,
      readOnlyHint: effect === 'read',
      destructiveHint: effect === 'write',
      idempotentHint: effect !== 'write' || actions.every(({ http }) => ['put', 'delete'].includes(http!.method)),
      openWorldHint: actions.some(({ isOpenWorld }) => isOpenWorld),
    },
  }
}

/** `- items.get(id, cached?): Fetch a work item …`: optional fields have a question mark. */
function actionLine({ id, input, summary, description }: AgentAction): string {
  const fields = Object.keys(input.properties ?? {}).map((name) => (input.required?.includes(name) ? name : `${name}?`))
  return `- ${id}(${fields.join(', ')}): ${summary}.${description ? ` ${description}` : ''}`
}

/** One flat object: the action, the fields of all actions, and the requested part of the answer. */
function inputSchemaOf(actions: readonly AgentAction[]): Tool['inputSchema'] {
  const own = fieldsOf(actions)
  const usual = usualAction(actions)
  const hasPages = actions.some(({ output }) => output.type === 'array')
  const forAnswer = Object.entries(answerFields).filter(([name]) => !(name in own) && (hasPages || name !== 'cursor'))
  return {
    type: 'object',
    properties: {
      action: {
        type: 'string',
        enum: actions.map(({ id }) => id),
        ...(usual ? { default: usual.id } : {}),
        description: 'What to do',
      },
      ...own,
      ...Object.fromEntries(forAnswer),
    },
    required: [...(usual ? [] : ['action']), ...requiredByAll(actions)],
    additionalProperties: false,
  } as Tool['inputSchema']
}

/** A field that only some actions require is checked when the action is called. */
function requiredByAll(actions: readonly AgentAction[]): string[] {
  const [first, ...others] = actions.map(({ input }) => input.required ?? [])
  return first!.filter((name) => others.every((required) => required.includes(name)))
}

/** The action of a call that names none: the only action of the tool, or its only read that is a main command. */
export function usualAction(actions: readonly AgentAction[]): AgentAction | null {
  if (actions.length === 1) return actions[0]!
  const main = actions.filter(({ effect, isMain }) => effect === 'read' && isMain)
  return main.length === 1 ? main[0]! : null
}

/** The arguments that select a part of the answer. A field of the same name of an action replaces them. */
export const answerFields: Record<string, JsonSchema> = {
  limit: {
    type: 'integer',
    minimum: 1,
    maximum: MAX_ENTRIES,
    default: DEFAULT_LIMIT,
    description: 'Most entries of each list in the answer',
  },
  cursor: { type: 'string', description: 'nextCursor of the previous answer' },
  fields: {
    type: 'array',
    items: { type: 'string' },
    minItems: 1,
    description: 'Only these fields of the answer, or of the entries of its list',
  },
}

function fieldsOf(actions: readonly AgentAction[]): Record<string, JsonSchema> {
  const names = new Set(actions.flatMap(({ input }) => Object.keys(input.properties ?? {})))
  return Object.fromEntries([...names].map((name) => [name, fieldOf(name, actions)]))
}

/**
 * A field with different types in several actions accepts each of them, and is described for each action in which its meaning differs.
 * The tool's description says which actions take it.
 */
function fieldOf(name: string, actions: readonly AgentAction[]): JsonSchema {
  const shapes = new Map<string, JsonSchema>()
  const meanings = new Map<string, string>()
  for (const { id, input } of actions) {
    const field = input.properties?.[name]
    if (!field) continue
    const { description, default: _, ...described } = field
    const shape = description === undefined ? described : withoutEntryDescription(described)
    shapes.set(JSON.stringify(shape), shape)
    if (typeof description === 'string' && !meanings.has(description)) meanings.set(description, id)
  }
  const [first, ...others] = shapes.values()
  return {
    ...(others.length === 0 ? first : { anyOf: [first!, ...others] }),
    ...(meanings.size > 0 ? { description: descriptionOf([...meanings]) } : {}),
  }
}

/** The description of a list says what its entries are. */
function withoutEntryDescription({ items, ...shape }: JsonSchema): JsonSchema {
  if (items === undefined) return shape
  const { description: _, ...entry } = items
  return { ...shape, items: entry }
}

function descriptionOf(meanings: readonly [meaning: string, action: string][]): string {
  if (meanings.length === 1) return meanings[0]![0]
  return meanings.map(([meaning, action]) => `${action}: ${meaning}`).join('. ')
}

/**
 * The shapes of the answers of a tool: their fields and types. Nothing is required, because `fields` selects some of them. Descriptions
 * and bounds are left out, because the description of the API has them. Repeated shapes are in `$defs`.
 */
function outputSchemaOf(actions: readonly AgentAction[]): Tool['outputSchema'] {
  const roots = actions.map(({ id, output }) => ({ id, schema: shapeOf(output) }))
  const $defs = liftRepeats(roots, {
    prefix: '#/$defs/',
    isLiftable: (shape, text) => text.length >= MIN_SHARED_CHARACTERS && ('properties' in shape || 'enum' in shape),
  })
  const shapes = [...new Map(roots.map(({ schema }) => [JSON.stringify(schema), schema])).values()]
  return {
    type: 'object',
    properties: {
      action: { type: 'string' },
      notice: { type: 'string' },
      result: shapes.length === 1 ? shapes[0]! : { anyOf: shapes },
      total: { type: ['integer', 'null'], description: 'Entries of the whole list' },
      nextCursor: { type: ['string', 'null'] },
      cut: { type: 'array', items: { type: 'object' }, description: 'Lists longer than limit: path, total, shown' },
      omitted: {
        type: 'array',
        items: { type: 'string' },
        description: 'Fields left out of a list; name them in fields to get them',
      },
    },
    required: ['action', 'result'],
    ...(Object.keys($defs).length > 0 ? { $defs } : {}),
  } as Tool['outputSchema']
}

/** A shorter shape is repeated, because a reference and a definition would be longer. */
const MIN_SHARED_CHARACTERS = 100

function shapeOf(schema: JsonSchema): JsonSchema {
  const shape: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(schema)) {
    if (['type', 'enum', 'const', '$ref'].includes(key)) shape[key] = value
    else if (['anyOf', 'oneOf', 'allOf'].includes(key)) shape[key] = (value as JsonSchema[]).map(shapeOf)
    else if (key === 'properties' || key === '$defs') shape[key] = mapValues(schema[key]!, shapeOf)
    else if ((key === 'items' || key === 'additionalProperties') && isRecord(value)) shape[key] = shapeOf(value)
  }
  return shape
}
