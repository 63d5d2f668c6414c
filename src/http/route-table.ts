import { formatCommand, loadAllOperations } from '../catalog'
import type { SuggestedCall, SuggestedInput } from '../kernel'
import { wireNamesOf } from './read-request'

/** What a route needs before the first call loads its operation. */
export interface RouteEntry {
  /** The id of the operation. */
  id: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** OpenAPI form: `/api/stories/{id}`. */
  path: string
  /** Names of query parameters that differ from their fields: `{ facilityId: 'facility_id' }`. */
  queryNames: Readonly<Record<string, string>>
  /** Missing where the usual limit applies. */
  maxBodyBytes?: number
}

/** Inserted at build as JSON, so that a start loads no operation. */
declare const STUDIO_ROUTES: string | undefined

export async function loadRouteTable(): Promise<RouteEntry[]> {
  return typeof STUDIO_ROUTES === 'undefined' ? deriveRouteTable() : JSON.parse(STUDIO_ROUTES)
}

export async function deriveRouteTable(): Promise<RouteEntry[]> {
  const operations = await loadAllOperations()
  return operations.flatMap((op) => {
    if (!op.http) return []
    const { method, path, maxBodyBytes } = op.http
    const limits = maxBodyBytes === undefined ? {} : { maxBodyBytes }
    return [
      { id: op.id, method: method.toUpperCase() as RouteEntry['method'], path, queryNames: wireNamesOf(op), ...limits },
    ]
  })
}

/** A suggested call as a request: `GET /api/devops/items/204?cached=true`. An operation without a route is written as a command. */
export async function formatRequest(call: SuggestedCall): Promise<string> {
  const route = (await loadRouteTable()).find(({ id }) => id === call.operation)
  return route && !call.isCommand ? formatRoute(route, call.input) : formatCommand(call)
}

function formatRoute({ method, path, queryNames }: RouteEntry, input: SuggestedInput): string {
  const fields = new Map(Object.entries(input))
  const filled = path.replace(/\{(\w+)\}/g, (whole, field: string) => {
    const value = fields.get(field)
    fields.delete(field)
    return value === undefined ? whole : encode(value)
  })
  const rest = [...fields]
  if (rest.length === 0) return `${method} ${filled}`
  if (method === 'GET' || method === 'DELETE')
    return `${method} ${filled}?${rest.map(([field, value]) => `${queryNames[field] ?? field}=${encode(value)}`).join('&')}`
  return `${method} ${filled} with ${rest.map(([field, value]) => `${field} ${value}`).join(', ')}`
}

/** A placeholder such as `<YYYY-MM-DD>` is not encoded. */
function encode(value: string | number | boolean): string {
  return /^<.*>$/.test(String(value)) ? String(value) : encodeURIComponent(value)
}
