import { StudioError } from '../kernel'
import type { AgentAction } from './actions'
import { topicNames } from './topics'

/** Which tools a client gets, because each one fills the context of its model. */
export interface ToolSelection {
  /** Topics such as `search`, or names of tools; null for all. */
  names: readonly string[] | null
  /** Whether only what reads is offered. */
  readOnly: boolean
}

export const ALL_TOOLS: ToolSelection = { names: null, readOnly: false }

/** Reads names that are separated by commas. Throws `invalid` for one that is neither a topic nor a tool. */
export function parseToolSelection(
  { tools, readOnly }: { tools: string | null; readOnly: boolean },
  actions: readonly AgentAction[],
): ToolSelection {
  if (tools === null) return { names: null, readOnly }
  const names = tools
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter(Boolean)
  const known = new Set([...topicNames, ...actions.map(({ tool }) => tool.name)])
  const unknown = names.filter((name) => !known.has(name))
  if (names.length > 0 && unknown.length === 0) return { names, readOnly }
  const problem = names.length === 0 ? 'No tools were named.' : `There are no tools for "${unknown.join('", "')}".`
  throw new StudioError('invalid', problem, {
    hint: `Name topics, with commas between them: ${topicNames.join(', ')}. Or name single tools: ${[...new Set(actions.map(({ tool }) => tool.name))].join(', ')}.`,
  })
}

export function isSelected({ tool, effect, http }: AgentAction, { names, readOnly }: ToolSelection): boolean {
  // Fetching one item keeps a copy of it, and changes nothing else.
  const reads = effect === 'read' || (effect === 'mirror' && http?.method === 'get')
  return (!readOnly || reads) && (names === null || names.includes(tool.name) || names.includes(tool.topic))
}
