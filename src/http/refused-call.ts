import { catalog, loadOperation } from '../catalog'
import { asStudioError, isRecorded, type OperationId } from '../kernel'
import type { AppOptions } from './app-options'
import type { Call } from './call'
import { originOf } from './operation-call'
import type { RouteEntry } from './route-table'

type Service = Pick<AppOptions, 'studio' | 'caller'>

const CONSOLE_FORMS = '/console/run/'

/**
 * Records a request that was refused before its operation was called, such as one with an invalid credential. Those that read are not
 * recorded.
 */
export async function recordRefusedCall(
  error: unknown,
  call: Call,
  { table, studio, caller }: Service & { table: readonly RouteEntry[] },
): Promise<void> {
  const { code } = asStudioError(error)
  if (call.isOpened || (code !== 'unauthenticated' && code !== 'forbidden')) return
  if (call.method === 'GET' || call.method === 'HEAD') return
  const id = findOperationId(call, table)
  if (id === null) return
  const op = await loadOperation(id)
  if (!isRecorded(op)) return
  const named = call.caller
  const actor = caller.actorFor(call, op.access)
  // The log and the error name the caller only if a route has asked for it.
  call.caller = named
  const isConsole = call.path.startsWith(CONSOLE_FORMS)
  const { recorder } = studio.context({ actor, origin: originOf(call, isConsole ? 'console' : 'http') })
  await recorder?.refused(op, actor, error)
}

/** The operation that the request means; null if there is none. A credential is checked before a route is chosen. */
function findOperationId({ method, path }: Call, table: readonly RouteEntry[]): OperationId | null {
  if (path.startsWith(CONSOLE_FORMS)) {
    const id = path.slice(CONSOLE_FORMS.length)
    return Object.hasOwn(catalog, id) ? (id as OperationId) : null
  }
  const parts = path.split('/')
  const own = table.filter((route) => route.method === method && isMatch(route.path.split('/'), parts))
  const fixed = own.find((route) => !route.path.includes('{')) ?? own[0]
  return (fixed?.id as OperationId | undefined) ?? null
}

function isMatch(pattern: readonly string[], parts: readonly string[]): boolean {
  return pattern.length === parts.length && pattern.every((part, i) => part.startsWith('{') || part === parts[i])
}
