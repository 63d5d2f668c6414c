import { type GivenField, rewordHint } from '../kernel'
import type { RouteEntry } from './route-table'

/** A hint for a caller over HTTP: `studio item get 204` is `GET /api/work-items/204` there. A command without a route stays one. */
export function inCalls(hint: string, routes: readonly RouteEntry[]): string {
  return rewordHint(hint, routes, callOf)
}

function callOf({ method, path, queryNames }: RouteEntry, given: readonly GivenField[]): string {
  const fields = new Map(given)
  const filled = path.replace(/\{(\w+)\}/g, (whole, field: string) => {
    const value = fields.get(field)
    fields.delete(field)
    return value === undefined ? whole : inUrl(value)
  })
  const rest = [...fields]
  if (rest.length === 0) return `${method} ${filled}`
  if (method === 'GET' || method === 'DELETE')
    return `${method} ${filled}?${rest.map(([field, value]) => `${queryNames[field] ?? field}=${inUrl(value)}`).join('&')}`
  return `${method} ${filled} with ${rest.map(([field, value]) => `${field} ${value}`).join(', ')}`
}

/** `<YYYY-MM-DD>` stands for a value and is shown as it is. */
function inUrl(value: string): string {
  return /^<.*>$/.test(value) ? value : encodeURIComponent(value)
}
