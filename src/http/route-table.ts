import { loadAllOperations } from '../catalog'
import type { AnyOperation, HttpBinding } from '../kernel'

/** A route of an operation as far as it must be known to offer it: the operation is loaded by its first call. */
export interface RouteEntry {
  /** Of the operation. */
  id: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** OpenAPI form: `/api/stories/{id}`. */
  path: string
  /** What a field is called in a query, where it has a name of its own there: `{ facilityId: 'facility_id' }`. */
  queryNames: Readonly<Record<string, string>>
}

/** At build the table is worked out once and put here as a literal, so that a start loads no operation. */
declare const STUDIO_ROUTES: RouteEntry[] | undefined

export async function loadRouteTable(): Promise<RouteEntry[]> {
  return typeof STUDIO_ROUTES === 'undefined' ? deriveRouteTable() : STUDIO_ROUTES
}

export async function deriveRouteTable(): Promise<RouteEntry[]> {
  const operations = await loadAllOperations()
  return operations.flatMap((op) => (op.http ? [entryOf(op, op.http)] : []))
}

function entryOf(op: AnyOperation, { method, path, query = {} }: HttpBinding): RouteEntry {
  return {
    id: op.id,
    method: method.toUpperCase() as RouteEntry['method'],
    path,
    queryNames: Object.fromEntries(Object.entries(query).map(([name, field]) => [field, name])),
  }
}
