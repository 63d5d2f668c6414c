import { formatCommand } from '../catalog'
import type { SuggestedCall, SuggestedInput } from '../kernel'
import { loadRouteTable, type RouteEntry } from './route-table'

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
