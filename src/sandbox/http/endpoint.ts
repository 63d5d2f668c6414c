import { isRecord, parseJson } from '../../kernel/json'
import type { Item } from '../state/item'
import type { WireResponse } from '../wire/response'
import { createBadRequestError, createItemNotFoundError } from '../wire/response'
import type { AddressedModel } from '../wire/urls'

export interface EndpointCall extends AddressedModel {
  /** Whether the URL contains the project. */
  inProject: boolean
  /** The named parts of the path, decoded. */
  params: Readonly<Record<string, string>>
  query: QueryParameters
  contentType: string
  body: string
  /** Milliseconds since 1970. */
  now: number
  /** Runs one request of a batch. */
  runInner(request: InnerRequest): WireResponse
  /** One failed request of a batch fails the whole batch. */
  isBatchAtomic: boolean
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
  /** Runs exclusively, and its changes are saved. */
  isWrite?: true
  run(call: EndpointCall): WireResponse
}

export function parseBodyObject(call: EndpointCall): Record<string, unknown> {
  const body = parseBody(call)
  if (!isRecord(body)) throw createBadRequestError('Value cannot be null. Parameter name: body')
  return body
}

export function parseBody(call: EndpointCall): unknown {
  const body = parseJson(call.body)
  if (body === undefined) throw createBadRequestError('The request body is not valid JSON.')
  return body
}

export function parseIdParam(call: EndpointCall, name = 'id'): number {
  const text = call.params[name]!
  const id = Number(text)
  if (!Number.isSafeInteger(id) || id < 1) throw createBadRequestError(`The value '${text}' is not valid for ${name}.`)
  return id
}

/** The item of the path. Throws a 404 if it does not exist. */
export function findItem(call: EndpointCall): Item {
  const id = parseIdParam(call)
  const item = call.model.item(id)
  if (!item) throw createItemNotFoundError(id)
  return item
}

/** Query parameters with case-insensitive names. */
export class QueryParameters {
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

  /** Null if absent. */
  integer(name: string, min = 0): number | null {
    const text = this.text(name)
    if (text === null || text === '') return null
    const value = Number(text)
    if (!Number.isInteger(value) || value < min)
      throw createBadRequestError(`The value '${text}' is not valid for ${name}.`)
    return value
  }

  list(name: string): string[] | null {
    const text = this.text(name)
    return text ? text.split(',').map((part) => part.trim()) : null
  }
}
