import { isRecord, parseJson } from '../../kernel/json'
import type { WireResponse } from '../wire/response'
import type { AddressedModel } from '../wire/urls'
import { createBadRequestError } from '../wire/wire-error'
import type { QueryParameters } from './query-parameters'

/** A request as an endpoint gets it. */
export interface EndpointCall extends AddressedModel {
  /** True where the address names the project. */
  inProject: boolean
  /** The named parts of the path, decoded. */
  params: Readonly<Record<string, string>>
  query: QueryParameters
  contentType: string
  body: string
  /** Milliseconds since 1970. */
  now: number
  /** Carries out one request of a bulk; only there. */
  runInner(request: InnerRequest): WireResponse
  /** One bad request of a bulk spoils them all. */
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
  /** Runs alone, and what it changed is kept. */
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

/** An id out of the path. */
export function parseIdParam(call: EndpointCall, name = 'id'): number {
  const text = call.params[name]!
  const id = Number(text)
  if (!Number.isSafeInteger(id) || id < 1) throw createBadRequestError(`The value '${text}' is not valid for ${name}.`)
  return id
}
