import type { Scene } from '../wire/addresses'
import type { Answer } from '../wire/answer'
import { badRequest } from '../wire/refusal'
import type { Query } from './query-parameters'

/** A request as an endpoint gets it. */
export interface Call extends Scene {
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
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE' | 'OPTIONS'
  /** Below the organization and the project: `_apis/wit/workitems/:id`. */
  path: string
  /** Runs alone, and what it changed is kept. */
  changes?: true
  run(call: Call): Answer
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
