import { type AnyOperation, type FieldNeeds, type Guarded, includesDockRole, isDockAccess } from '../kernel'
import { type JsonSchema, jsonSchemaOf } from '../kernel/input/json-schema'
import { memoizeAsync } from '../kernel/work/memoize-async'
import { type AgentTool, toolFor } from './topics'

/** An operation as a tool offers it, as plain data with everything that a list of tools needs. */
export interface AgentAction extends Guarded {
  /** The id of the operation, which is also the name of the action. */
  id: string
  tool: AgentTool
  summary: string
  description: string | null
  /** True if it calls another server. */
  isOpenWorld: boolean
  /** True for a main command of the terminal: `search`, not `index stats`. */
  isMain: boolean
  input: JsonSchema
  /** Fields of the input that a tracker of the settings must be capable of. */
  fieldNeeds: FieldNeeds
  output: JsonSchema
}

/** Inserted at build as JSON, so that a start loads no operation before it is called. */
declare const STUDIO_AGENT_ACTIONS: string | undefined

/** The same list for every server of this process. */
export const loadActions = memoizeAsync(
  async (): Promise<readonly AgentAction[]> =>
    typeof STUDIO_AGENT_ACTIONS === 'undefined'
      ? deriveActions(await (await import('../catalog')).loadAllOperations())
      : JSON.parse(STUDIO_AGENT_ACTIONS),
)

/**
 * The operations for agents: those of the HTTP API, except the administration of tokens, tenants and docks, those about the service itself, and
 * those that only stream the answer of another one.
 */
export function deriveActions(operations: readonly AnyOperation[]): AgentAction[] {
  return operations.filter(isForAgents).map((op) => ({
    id: op.id,
    access: op.access,
    effect: op.effect,
    ...(op.changesTracker && { changesTracker: op.changesTracker }),
    http: { method: op.http!.method, path: op.http!.path },
    tool: toolFor(op.id, op.effect),
    summary: op.summary,
    description: op.description ?? null,
    isOpenWorld: op.errors.some((code) => /^(tracker|llm)_/.test(code)),
    isMain: op.cli !== undefined && !op.cli.command.includes(' '),
    input: jsonSchemaOf(op.input, 'input'),
    fieldNeeds: op.fieldNeeds ?? {},
    output: jsonSchemaOf(op.output, 'output'),
  }))
}

function isForAgents(op: AnyOperation): boolean {
  return (
    !op.id.startsWith('system.') &&
    op.http !== undefined &&
    (op.access === 'workspace' || isDockWork(op)) &&
    !op.stream?.byDefault
  )
}

/** What a clerk does, and changes of many appointments. */
function isDockWork({ id, access }: AnyOperation): boolean {
  if (!isDockAccess(access)) return false
  return includesDockRole('clerk', access.docks) || id.startsWith('appointments.')
}
