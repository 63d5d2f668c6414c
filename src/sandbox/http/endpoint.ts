import { isRecord, parseJson } from '../../kernel/json'
import type { Item } from '../state/item'
import type { WireRequest, WireResponse } from '../wire/response'
import { createBadRequestError, createItemNotFoundError } from '../wire/response'
import type { AddressedModel } from '../wire/urls'

/** Its result is sent as JSON, an array in the tracker's format of a list, and a `Page` as HTML. */
export type Handler = (call: EndpointCall) => unknown

export interface EndpointCall extends AddressedModel {
  /** Whether the URL contains the project. */
  inProject: boolean
  /** The named parts of the path, decoded. */
  params: Readonly<Record<string, string>>
  query: QueryParameters
  contentType: string
  /** The place of a chunk in a file: `bytes 0-39999/80000`. */
  contentRange: string | null
  body: string
  bytes: Buffer
  /** Milliseconds since 1970. */
  now: number
  /** Runs one request of a batch. */
  runInner(request: WireRequest): WireResponse
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

const MAX_ENTRIES = 200

/** Throws if a call has more IDs or changes than the tracker accepts. */
export function checkEntryCount(count: number): void {
  if (count <= MAX_ENTRIES) return
  throw createBadRequestError(`VS403474: You requested ${count} work items which exceeds the limit of ${MAX_ENTRIES}.`)
}

/** Query parameters with case-insensitive names. */
export class QueryParameters {
  private readonly values: ReadonlyMap<string, string>

  constructor(search: URLSearchParams) {
    this.values = new Map([...search].map(([name, value]) => [name.toLowerCase(), value]))
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
    if (!text) return null
    const value = Number(text)
    if (Number.isInteger(value) && value >= min) return value
    throw createBadRequestError(`The value '${text}' is not valid for ${name}.`)
  }

  list(name: string): string[] | null {
    const text = this.text(name)
    return text ? text.split(',').map((part) => part.trim()) : null
  }
}
