import * as z from 'zod'
import { acceptsReferences, REFERENCE_ERRORS } from '../../items'
import { type AnyOperation, type ErrorCode, httpStatusOf } from '../../kernel'
import { type Json, type JsonSchema, jsonSchemaOf } from '../../kernel/input/json-schema'
import { mapValues } from '../../kernel/json'
import { sendsBody } from '../read-request'

/** The parts that many calls share: parameters, headers and error responses. */

const Detail = z
  .looseObject({
    path: z.string().describe('The field as it was sent, dotted; empty for the whole'),
    message: z.string(),
  })
  .describe('One invalid field; some refusals add facts of their own')

const facts = {
  code: z.string().describe('Stable: what a program goes by'),
  hint: z.string().nullable().describe('The exact next call or command that fixes it'),
  details: z.array(Detail),
  requestId: z.string().nullable(),
}

export const ErrorSchema = z.object({ status: z.literal('error'), message: z.string(), ...facts })
export const ProblemSchema = z
  .object({ type: z.string(), title: z.string(), status: z.int(), detail: z.string(), ...facts })
  .describe('The same facts as RFC 9457, for Accept: application/problem+json')

export const errorSchemas = {
  Error: jsonSchemaOf(ErrorSchema, 'output'),
  Problem: jsonSchemaOf(ProblemSchema, 'output'),
}

const responseNames: Record<number, readonly [name: string, description: string]> = {
  400: ['Invalid', 'The call is not well formed, or a rule refuses it; `details` name each field'],
  401: ['Unauthenticated', 'A credential is missing, or one that was sent is not valid'],
  403: ['Forbidden', 'The credential does not allow it, or the Host or Origin is not ours'],
  404: ['NotFound', 'There is no such thing, or not for this caller'],
  409: ['Conflict', 'It has changed meanwhile, or its state does not allow the call'],
  413: ['PayloadTooLarge', 'The body is larger than the service reads'],
  415: ['UnsupportedMediaType', 'The body is not JSON'],
  429: ['TooManyRequests', 'Try again after the seconds in Retry-After'],
  500: ['InternalError', 'A fault of the service itself'],
  503: [
    'Unavailable',
    'The tracker, the language model or the database cannot be used now, or the service is stopping',
  ],
  504: ['Timeout', 'The tracker, the language model or the service took too long'],
}

const headers = {
  RequestId: ['X-Request-Id', 'Names this call in the logs and in an error body', { type: 'string' }],
  TotalCount: ['X-Total-Count', 'With limit or cursor: how many entries there are', { type: 'integer' }],
  NextCursor: ['X-Next-Cursor', 'Where there is more: the cursor of the next call', { type: 'string' }],
  ETag: ['ETag', 'The version of what is shown, for If-None-Match', { type: 'string' }],
  RetryAfter: ['Retry-After', 'Seconds after which it is worth trying again', { type: 'integer', minimum: 0 }],
  Challenge: ['WWW-Authenticate', 'The credential that the path takes', { type: 'string' }],
} satisfies Record<string, [name: string, description: string, schema: JsonSchema]>

export const headerComponents: Json = mapValues(headers, ([, description, schema]) => ({ description, schema }))

/** Additional headers of an error, by its status. */
const errorHeaders: Record<number, readonly string[]> = { 401: ['Challenge'], 429: ['RetryAfter'], 503: ['RetryAfter'] }

export const errorResponseComponents: Json = Object.fromEntries(
  Object.entries(responseNames).map(([status, [name, description]]) => [
    name,
    {
      description,
      headers: headerRefs(['RequestId', ...(errorHeaders[Number(status)] ?? [])]),
      content: {
        'application/json': { schema: { $ref: '#/components/schemas/Error' } },
        'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
      },
    },
  ]),
)

/**
 * The errors of every path, also of one that needs no credential: a credential that was sent is checked there as well, with the
 * database, and so is the host name of the request.
 */
const everyPath: readonly ErrorCode[] = [
  'invalid',
  'unauthenticated',
  'forbidden',
  'limited',
  'internal',
  'unavailable',
]

const everyOperation: readonly ErrorCode[] = ['timeout', 'conflict']

const everyBody: readonly ErrorCode[] = ['payload_too_large', 'unsupported_media_type']

/** Every error status of the operation. */
export function errorResponses(op: AnyOperation): Json {
  const ofBody = sendsBody(op) ? everyBody : []
  const ofReferences = acceptsReferences(op) ? REFERENCE_ERRORS : []
  return refsTo([...everyPath, ...everyOperation, ...ofBody, ...ofReferences, ...op.errors])
}

/** Every error status of a document of the service. */
export const documentErrorResponses: Json = refsTo(everyPath)

function refsTo(codes: readonly ErrorCode[]): Json {
  const statuses = [...new Set(codes.map(httpStatusOf))].filter((status) => status in responseNames)
  return Object.fromEntries(
    statuses
      .sort((a, b) => a - b)
      .map((status) => [status, { $ref: `#/components/responses/${responseNames[status]![0]}` }]),
  )
}

export function headersOf(of: { isPage?: boolean; hasVersion?: boolean } = {}): Json {
  const names = ['RequestId', ...(of.isPage ? ['TotalCount', 'NextCursor'] : []), ...(of.hasVersion ? ['ETag'] : [])]
  return headerRefs(names)
}

function headerRefs(names: readonly string[]): Json {
  return Object.fromEntries(
    names.map((name) => [headers[name as keyof typeof headers][0], { $ref: `#/components/headers/${name}` }]),
  )
}

/** The answer to a caller who has the current version. */
export const notModified: Json = {
  description: 'It has not changed since the version that the caller knows',
  headers: headersOf({ hasVersion: true }),
}

export function parameterRef(name: string): Json {
  return { $ref: `#/components/parameters/${name}` }
}

/** The parameters of a list. */
export const pageParameters: Json[] = [parameterRef('PageLimit'), parameterRef('PageCursor')]

export const parameterComponents: Json = {
  PageLimit: {
    name: 'limit',
    in: 'query',
    description: 'Cuts the array; X-Total-Count and X-Next-Cursor then say the rest',
    schema: { type: 'integer', minimum: 1, maximum: 200 },
    'x-extension': true,
  },
  PageCursor: {
    name: 'cursor',
    in: 'query',
    description: 'From X-Next-Cursor of the page before: goes on after its last entry, whatever changed meanwhile',
    schema: { type: 'string', minLength: 1, maxLength: 16_384 },
    'x-extension': true,
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description: 'The ETag of an answer before: 304 where nothing has changed',
    schema: { type: 'string' },
    'x-extension': true,
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description: 'The same key and body gets the first answer again for 24 hours; another body is 409',
    schema: { type: 'string', pattern: '^[\\x21-\\x7e]{1,255}$' },
    'x-extension': true,
  },
}

export const securitySchemes: Json = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'studio_pat_… or a JWT',
    description:
      'A personal access token (`studio token create`) or a user JWT. A caller on this machine needs none, unless the service was started with `--auth always`.',
  },
  dockKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Key',
    description: "A tenant's dock key: `studio tenant key create`.",
  },
}
