import { catalog, loadOperation } from '../catalog'
import { asStudioError, isRecorded, type OperationId } from '../kernel'
import type { AppOptions } from './app-options'
import type { Call } from './call'
import { originOf } from './operation-call'
import type { RouteEntry } from './route-table'

type Service = Pick<AppOptions, 'studio' | 'caller'>

/** The forms of the pages, and the surface that they are of. */
const FORMS = { '/console/run/': 'console', '/portal/run/': 'portal' } as const

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
  const { recorder } = studio.context({ actor, origin: originOf(call, findForms(call)?.surface ?? 'http') })
  await recorder?.refused(op, actor, error)
}

/** The operation that the request means; null if there is none. A credential is checked before a route is chosen. */
function findOperationId({ method, path }: Call, table: readonly RouteEntry[]): OperationId | null {
  const forms = findForms({ path })
  if (forms !== null) {
    const id = path.slice(forms.path.length)
    return Object.hasOwn(catalog, id) ? (id as OperationId) : null
  }
  const parts = path.split('/')
  const own = table.filter((route) => route.method === method && isMatch(route.path.split('/'), parts))
  const fixed = own.find((route) => !route.path.includes('{')) ?? own[0]
  return (fixed?.id as OperationId | undefined) ?? null
}

function findForms({ path }: Pick<Call, 'path'>) {
  for (const [root, surface] of Object.entries(FORMS)) if (path.startsWith(root)) return { path: root, surface }
  return null
}

function isMatch(pattern: readonly string[], parts: readonly string[]): boolean {
  return pattern.length === parts.length && pattern.every((part, i) => part.startsWith('{') || part === parts[i])
}
