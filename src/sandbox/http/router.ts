import { decodePart, equalsIgnoringCase } from '../../kernel/text/text'
import type { TrackerModel } from '../state/tracker-model'
import { WireError } from '../wire/response'
import { checkProject } from './access-checks'
import type { Handler } from './endpoint'
import { reads, writes } from './routes'

interface Endpoint {
  method: string
  parts: readonly string[]
  /** Runs exclusively, and its changes are saved. */
  isWrite: boolean
  run: Handler
}

interface Route extends Endpoint {
  params: Record<string, string>
  inProject: boolean
}

const endpoints = [...compileRoutes(reads, false), ...compileRoutes(writes, true)]

function compileRoutes(routes: Record<string, Handler>, isWrite: boolean): Endpoint[] {
  return Object.entries(routes).map(([route, run]) => {
    const [method, path] = route.split(' ') as [string, string]
    return { method, parts: splitPath(path), isWrite, run }
  })
}

/** `path` is relative to the organization, case-insensitive, and may start with a project and a team. Throws a 404 or a 405. */
export function findRoute(method: string, path: string, model: TrackerModel): Route {
  const parts = splitPath(path).map(decodePart)
  const start = parts.findIndex((part) => part.startsWith('_'))
  const inProject = start === 1 || start === 2
  if (inProject) checkProject(parts[0]!, model)
  const rest = inProject ? parts.slice(start) : parts
  const matches = endpoints.flatMap((endpoint): Route[] => {
    const params = matchPath(endpoint.parts, rest)
    return params ? [{ ...endpoint, params, inProject }] : []
  })
  const found = matches.find((route) => route.method === method)
  if (found) return found
  // Any name of an area has locations to ask for, though nothing else is there.
  if (matches.some((route) => route.method !== 'OPTIONS')) {
    throw new WireError(
      405,
      'VssRequestMethodNotAllowedException',
      `The requested resource does not support http method '${method}'.`,
    )
  }
  throw new WireError(
    404,
    'HttpException',
    `The controller for path '/${model.organization}/${path}' was not found or does not implement IController.`,
    { typeName: 'System.Web.HttpException, System.Web', eventId: 0 },
  )
}

function splitPath(path: string): string[] {
  return path.split('/').filter((part) => part !== '')
}

/** Returns the values of the pattern's parameters: `:id` is any part without a leading `$`, `*path` all parts that remain. */
function matchPath(pattern: readonly string[], parts: readonly string[]): Record<string, string> | null {
  const params: Record<string, string> = {}
  for (const [at, expected] of pattern.entries()) {
    if (expected.startsWith('*')) return { ...params, [expected.slice(1)]: parts.slice(at).join('/') }
    const part = parts[at]
    if (part === undefined) return null
    const [prefix, name] = expected.split(':') as [string, string?]
    if (name === undefined) {
      if (!equalsIgnoringCase(part, expected)) return null
    } else {
      if (part.startsWith('$') !== (prefix === '$')) return null
      params[name] = part.slice(prefix.length)
    }
  }
  return parts.length === pattern.length ? params : null
}
