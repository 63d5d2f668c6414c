import type { Tool } from '@modelcontextprotocol/server'
import type { JsonSchema } from '../kernel/json-schema'
import type { AgentAction } from './actions'
import { relaxed } from './answer-schema'
import { DEFAULT_LIMIT, MOST_ENTRIES } from './bounds'

/** The tools out of the actions that a caller may take, in the order of the catalog. */
export function toolsOf(actions: readonly AgentAction[]): Tool[] {
  const byTool = new Map<string, AgentAction[]>()
  for (const action of actions) byTool.set(action.tool.name, [...(byTool.get(action.tool.name) ?? []), action])
  return [...byTool.values()].map(toolOf)
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

/** `- items.get(id): Fetch a work item …`, with what must be given in brackets. */
function actionLine({ id, input, summary, description }: AgentAction): string {
  return `- ${id}(${(input.required ?? []).join(', ')}): ${summary}.${description ? ` ${description}` : ''}`
}

/** One flat object: the action, the fields of all its actions, and how much of the answer is wanted. */
function inputSchemaOf(actions: readonly AgentAction[]): Tool['inputSchema'] {
  const own = fieldsOf(actions)
  const usual = usualAction(actions)
  return {
    type: 'object',
    properties: {
      action: {
        type: 'string',
        enum: actions.map(({ id }) => id),
        ...(usual ? { default: usual.id } : {}),
        description: 'What to do; see the list above',
      },
      ...own,
      ...Object.fromEntries(Object.entries(answerFields).filter(([name]) => !(name in own))),
    },
    required: usual ? [] : ['action'],
    additionalProperties: false,
  } as Tool['inputSchema']
}

/** What a tool does that is not told what to do: the one thing that it does, or the one read among several that is a main command. */
export function usualAction(actions: readonly AgentAction[]): AgentAction | null {
  if (actions.length === 1) return actions[0]!
  const main = actions.filter(({ effect, command }) => effect === 'read' && command && !command.words.includes(' '))
  return main.length === 1 ? main[0]! : null
}

/** How much of an answer is wanted. A field of the same name that an action has itself stands in its place. */
export const answerFields: Record<string, JsonSchema> = {
  limit: {
    type: 'integer',
    minimum: 1,
    maximum: MOST_ENTRIES,
    default: DEFAULT_LIMIT,
    description: 'Most entries that a list in the answer may have; `cut` tells of what was left out',
  },
  cursor: { type: 'string', description: 'From nextCursor of the answer before: where to go on' },
  fields: {
    type: 'array',
    items: { type: 'string' },
    minItems: 1,
    description: 'Keep only these fields of the answer, or of the entries of its list',
  },
}

function fieldsOf(actions: readonly AgentAction[]): Record<string, JsonSchema> {
  const names = new Set(actions.flatMap(({ input }) => Object.keys(input.properties ?? {})))
  return Object.fromEntries([...names].map((name) => [name, fieldOf(name, actions)]))
}

/** A field that actions take in different forms is any of them; the description tells whose it is, and who cannot do without it. */
function fieldOf(name: string, actions: readonly AgentAction[]): JsonSchema {
  const takers = actions.filter(({ input }) => input.properties?.[name])
  const shapes = new Map<string, JsonSchema>()
  const said = new Set<string>()
  for (const { input } of takers) {
    const { description, default: _, ...shape } = input.properties![name]!
    shapes.set(JSON.stringify(shape), shape)
    if (typeof description === 'string') said.add(description)
  }
  const need = takers.filter(({ input }) => input.required?.includes(name)).map((action) => action.id)
  const whose = takers.length === actions.length ? [] : [`For ${takers.map((action) => action.id).join(', ')}`]
  const needed = need.length > 0 ? [`required for ${need.length === actions.length ? 'all' : need.join(', ')}`] : []
  const [first, ...others] = shapes.values()
  return {
    ...(others.length === 0 ? first : { anyOf: [first!, ...others] }),
    description: [...said, [...whose, ...needed].join('; ')].filter(Boolean).join('. '),
  }
}

function outputSchemaOf(actions: readonly AgentAction[]): Tool['outputSchema'] {
  const $defs: Record<string, JsonSchema> = {}
  const shapes = new Map<string, JsonSchema>()
  for (const action of actions) {
    const shape = relaxed(action.output, action.id, $defs)
    shapes.set(JSON.stringify(shape), shape)
  }
  const [first, ...others] = shapes.values()
  return {
    type: 'object',
    properties: {
      action: { type: 'string', enum: actions.map(({ id }) => id) },
      result: others.length === 0 ? first! : { anyOf: [first!, ...others] },
      total: { type: ['integer', 'null'], description: 'How many entries there are where the result is a list' },
      nextCursor: { type: ['string', 'null'], description: 'Where there is more: the cursor of the next call' },
      cut: {
        type: 'array',
        description: 'Each list that was longer than limit',
        items: {
          type: 'object',
          properties: {
            path: { type: 'string' },
            total: { type: 'integer' },
            shown: { type: 'integer' },
          },
          required: ['path', 'total', 'shown'],
          additionalProperties: false,
        },
      },
    },
    required: ['action', 'result', 'total', 'nextCursor', 'cut'],
    additionalProperties: false,
    ...(Object.keys($defs).length > 0 ? { $defs } : {}),
  } as Tool['outputSchema']
}
