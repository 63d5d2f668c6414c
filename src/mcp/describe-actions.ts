import type { CallToolResult, Tool } from '@modelcontextprotocol/server'
import type { AgentAction } from './actions'

const MAX_ACTIONS = 5

/** The tool that gives the details of actions, so that the list of tools need not have them. */
export const describeTool = {
  name: 'describe_actions',
  title: 'Describe actions',
  description:
    'The details of actions of the other tools: what each does, every field of its input, and the shape of its answer. Call it before an action whose input has an object or a list of objects, or that was refused.',
  inputSchema: {
    type: 'object',
    properties: {
      actions: {
        type: 'array',
        items: { type: 'string' },
        minItems: 1,
        maxItems: MAX_ACTIONS,
        description: 'Names of actions, such as items.list',
      },
    },
    required: ['actions'],
    additionalProperties: false,
  },
  annotations: {
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  },
} as const satisfies Tool

/** Describes the actions of this client. */
export function describeActions(args: Record<string, unknown>, actions: readonly AgentAction[]): CallToolResult {
  const asked = [args['actions'] ?? []].flat().map(String)
  const known = actions.filter(({ id }) => asked.includes(id))
  const unknown = asked.filter((id) => known.every((action) => action.id !== id))
  if (asked.length === 0 || asked.length > MAX_ACTIONS || unknown.length > 0) {
    const problem =
      unknown.length > 0
        ? `there is no action ${unknown.join(', ')}. The actions are ${actions.map(({ id }) => id).join(', ')}.`
        : `must name 1 to ${MAX_ACTIONS} actions.`
    return { isError: true, content: [{ type: 'text', text: `invalid: actions: ${problem}` }] }
  }
  return { content: [{ type: 'text', text: known.map(describe).join('\n\n') }] }
}

function describe({ id, tool, summary, description, input, output }: AgentAction): string {
  return [
    `${id}, an action of the tool ${tool.name}: ${summary}.`,
    ...(description ? [description] : []),
    `Input: ${JSON.stringify(input)}`,
    `Answer: ${JSON.stringify(output)}`,
  ].join('\n')
}
