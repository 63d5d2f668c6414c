import type { World } from '../state/world'
import type { Answer } from '../wire/answer'
import { badRequest } from '../wire/refusal'

/** A request as an endpoint gets it. */
export interface Call {
  world: World
  /** `http://127.0.0.1:PORT/organization`. */
  base: string
  /** True where the address names the project. */
  inProject: boolean
  /** The named parts of the path, decoded. */
  params: Readonly<Record<string, string>>
  query: Query
  contentType: string
  body: string
  /** Milliseconds since 1970. */
  now: number
  /** Carries out one request of a bulk; only there. */
  inner(request: InnerRequest): Answer
  /** One bad request of a bulk spoils them all. */
  atomicBulk: boolean
}

export interface InnerRequest {
  method: string
  /** Path and query below the organization. */
  uri: string
  contentType: string
  body: string
}

export interface Endpoint {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Below the organization and the project: `_apis/wit/workitems/:id`. */
  path: string
  /** Runs alone, and what it changed is kept. */
  changes?: true
  run(call: Call): Answer
}

/** Query parameters, in whatever case they were written. */
export class Query {
  private readonly values = new Map<string, string>()

  constructor(search: URLSearchParams) {
    for (const [name, value] of search) this.values.set(name.toLowerCase(), value)
  }

  text(name: string): string | null {
    return this.values.get(name.toLowerCase()) ?? null
  }

  flag(name: string): boolean {
    return this.text(name)?.toLowerCase() === 'true'
  }

  /** Null where it is not given. */
  integer(name: string, least = 0): number | null {
    const text = this.text(name)
    if (text === null || text === '') return null
    const value = Number(text)
    if (!Number.isInteger(value) || value < least) throw badRequest(`The value '${text}' is not valid for ${name}.`)
    return value
  }

  list(name: string): string[] | null {
    const text = this.text(name)
    return text ? text.split(',').map((part) => part.trim()) : null
  }
}

export function bodyOf(call: Call): Record<string, unknown> {
  const body = parseBody(call)
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw badRequest('Value cannot be null. Parameter name: body')
  return body as Record<string, unknown>
}

export function parseBody(call: Call): unknown {
  try {
    return JSON.parse(call.body)
  } catch {
    throw badRequest('The request body is not valid JSON.')
  }
}

/** An id out of the path. */
export function idParam(call: Call, name = 'id'): number {
  const text = call.params[name]!
  const id = Number(text)
  if (!Number.isSafeInteger(id) || id < 1) throw badRequest(`The value '${text}' is not valid for ${name}.`)
  return id
}
