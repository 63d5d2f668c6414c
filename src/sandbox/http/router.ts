import type { TrackerModel } from '../state/tracker-model'
import { WireError } from '../wire/response'
import type { Endpoint } from './endpoint'

interface Route {
  endpoint: Endpoint
  params: Record<string, string>
  inProject: boolean
}

/** Finds endpoints by method and path. Paths are case-insensitive and may start with a project and a team. */
export class Router {
  private readonly compiled: { endpoint: Endpoint; parts: string[] }[]

  constructor(endpoints: readonly Endpoint[]) {
    this.compiled = endpoints.map((endpoint) => ({
      endpoint,
      parts: endpoint.path.split('/').filter((part) => part !== ''),
    }))
  }

  /** `path` is relative to the organization. Throws a 404 or a 405. */
  find(method: string, path: string, model: TrackerModel): Route {
    const { scope, rest } = splitPath(path)
    if (scope[0] !== undefined && !isProject(scope[0], model)) throw createProjectNotFoundError(scope[0])
    const matches = this.compiled.flatMap(({ endpoint, parts }) => {
      const params = matchPath(parts, rest)
      return params ? [{ endpoint, params, inProject: scope.length > 0 }] : []
    })
    const found = matches.find((route) => route.endpoint.method === method)
    if (found) return found
    // Any name of an area has locations to ask for, though nothing else is there.
    if (matches.some((route) => route.endpoint.method !== 'OPTIONS')) {
      throw new WireError(
        405,
        'VssRequestMethodNotAllowedException',
        `The requested resource does not support http method '${method}'.`,
      )
    }
    throw createUnknownPathError(`/${model.organization}/${path}`)
  }
}

/** The parts before `_apis` or `_workitems` are the project and possibly a team. */
function splitPath(path: string): { scope: string[]; rest: string[] } {
  const parts = path
    .split('/')
    .filter((part) => part !== '')
    .map(decodePathPart)
  const start = parts.findIndex((part) => part.startsWith('_'))
  return start < 0 || start > 2
    ? { scope: [], rest: parts }
    : { scope: parts.slice(0, start), rest: parts.slice(start) }
}

function matchPath(pattern: readonly string[], parts: readonly string[]): Record<string, string> | null {
  const params: Record<string, string> = {}
  for (const [at, expected] of pattern.entries()) {
    if (expected.startsWith('*')) {
      params[expected.slice(1)] = parts.slice(at).join('/')
      return params
    }
    const part = parts[at]
    if (part === undefined) return null
    if (expected.startsWith(':$')) {
      if (!part.startsWith('$')) return null
      params[expected.slice(2)] = part.slice(1)
    } else if (expected.startsWith(':')) {
      if (part.startsWith('$')) return null
      params[expected.slice(1)] = part
    } else if (part.toLowerCase() !== expected) return null
  }
  return parts.length === pattern.length ? params : null
}

function isProject(name: string, { project }: TrackerModel): boolean {
  return [project.name, project.id].some((known) => known.toLowerCase() === name.toLowerCase())
}

/** The tracker's answer for an unknown path. */
function createUnknownPathError(path: string): WireError {
  const message = `The controller for path '${path}' was not found or does not implement IController.`
  return new WireError(404, 'HttpException', message, { typeName: 'System.Web.HttpException, System.Web', eventId: 0 })
}

export function createProjectNotFoundError(name: string): WireError {
  return new WireError(
    404,
    'ProjectDoesNotExistWithNameException',
    `TF200016: The following project does not exist: ${name}. Verify that the name of the project is correct and that the project exists on the specified server.`,
  )
}

/** Returns the part unchanged if its escapes are invalid. */
export function decodePathPart(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
