import type { Tool } from '@modelcontextprotocol/server'
import type { JsonSchema } from '../kernel/input/json-schema'
import { groupBy } from '../kernel/work/group-by'
import type { AgentAction } from './actions'
import { DEFAULT_LIMIT, MAX_ENTRIES } from './bounded-answer'
import { describeTool } from './describe-actions'

/** The tools of the actions that a caller may use, in the order of the catalog. */
export function toolsOf(actions: readonly AgentAction[]): Tool[] {
  return [...[...groupBy(actions, ({ tool }) => tool.name).values()].map(toolOf), describeTool]
}

function toolOf(actions: AgentAction[]): Tool {
  const { name, title, about } = actions[0]!.tool
  const { effect } = actions[0]!
  return {
    name,
    title,
    description: [`${title}: ${about}.`, ...actions.map(actionLine)].join('\n'),
    inputSchema: inputSchemaOf(actions),
    annotations: {
      readOnlyHint: effect === 'read',
      destructiveHint: effect === 'write',
      idempotentHint: effect !== 'write' || actions.every(({ http }) => ['put', 'delete'].includes(http!.method)),
      openWorldHint: actions.some(({ isOpenWorld }) => isOpenWorld),
    },
  }
}

/** A load has many more; `describe_actions` lists them. */
const MAX_OPTIONAL = 6

/** `- items.get(id, cached?): Fetch a work item.` Optional fields have a question mark, and a star says that there is a dry run. */
function actionLine({ id, input, summary }: AgentAction): string {
  const all = Object.keys(input.properties ?? {})
  const names = all.filter((name) => name !== 'dryRun' && name !== 'planId')
  const required = names.filter((name) => input.required?.includes(name))
  const optional = names.filter((name) => !required.includes(name)).map((name) => `${name}?`)
  const rest = optional.length > MAX_OPTIONAL ? ['…'] : []
  const fields = [...required, ...optional.slice(0, MAX_OPTIONAL), ...rest]
  return `- ${id}${all.includes('planId') ? '*' : ''}(${fields.join(', ')}): ${summary}`
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
  limit: { type: 'integer', description: `Most entries of a list: ${DEFAULT_LIMIT}, up to ${MAX_ENTRIES}` },
  cursor: { type: 'string', description: 'nextCursor of the previous answer' },
  fields: {
    type: 'array',
    items: { type: 'string' },
    description: 'Only these fields of the answer',
  },
  structured: { type: 'boolean' },
}

function fieldsOf(actions: readonly AgentAction[]): Record<string, JsonSchema> {
  const names = [...new Set(actions.flatMap(({ input }) => Object.keys(input.properties ?? {})))]
  const isNeeded = (name: string) => actions.some(({ input }) => input.required?.includes(name))
  const isDescribed = (name: string) => names.length <= MAX_DESCRIBED || isNeeded(name)
  return Object.fromEntries(names.map((name) => [name, fieldOf(name, actions, isDescribed(name))]))
}

/** Where a tool has more fields than this, only those that an action requires are described. */
const MAX_DESCRIBED = 45

/** What a model needs to choose an action and to fill in the usual fields. `describe_actions` has the rest. */
function fieldOf(name: string, actions: readonly AgentAction[], isDescribed: boolean): JsonSchema {
  const fields = actions.flatMap(({ input }) => (input.properties?.[name] ? [input.properties[name]] : []))
  const shapes = new Set(fields.map((field) => JSON.stringify(toShortShape(field))))
  const described = fields.find((field) => typeof field['description'] === 'string')
  const about = shorten(described?.['description'])
  return {
    ...(shapes.size === 1 ? JSON.parse([...shapes][0]!) : {}),
    ...(isDescribed && saysMore(about, name) ? { description: about } : {}),
  }
}

/** Fields that every model knows, or that the instructions explain. */
const KNOWN_FIELDS = new Set(['id', 'dryRun', 'planId', 'title', 'tracker', 'description'])

/** Whether a description has a word that is not in the name: `The name of the carrier` says no more than `carrierName`. */
function saysMore(about: string, name: string): boolean {
  if (KNOWN_FIELDS.has(name)) return false
  const words = about.toLowerCase().match(/[a-z]{4,}/g) ?? []
  return words.some((word) => !name.toLowerCase().includes(word.replace(/s$/, '')))
}

/** The type and the allowed values. An object is described where it is asked for. */
function toShortShape({ type: own, enum: choices, items, anyOf }: JsonSchema): JsonSchema {
  const others = anyOf?.map((one) => one.type) ?? []
  const type =
    own ?? (others.length > 0 && others.every((one) => typeof one === 'string') ? [...new Set(others)] : undefined)
  const isShort = Array.isArray(choices) && JSON.stringify(choices).length <= MAX_CHOICES_LENGTH
  return {
    ...(type === undefined ? {} : { type }),
    ...(isShort ? { enum: choices } : {}),
    ...(items?.type && items.type !== 'object' ? { items: { type: items.type } } : {}),
  } as JsonSchema
}

const MAX_CHOICES_LENGTH = 150
const MAX_ABOUT_LENGTH = 44

/** The first sentence, as far as it is short. */
function shorten(text: unknown): string {
  const [first = ''] = String(text ?? '').split(/\. |[;:(]/, 1)
  const about = first.trim()
  if (about.length <= MAX_ABOUT_LENGTH) return about
  const cut = about.slice(0, MAX_ABOUT_LENGTH)
  return `${cut.slice(0, cut.lastIndexOf(' '))}…`
}
