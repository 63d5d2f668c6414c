import * as z from 'zod'
import { type AnyOperation, type ErrorCode, httpStatusOf } from '../kernel'
import { givesArray } from './array-page'

type Json = Record<string, unknown>

/** The description of the API out of the catalog: OpenAPI 3.1.0. */
export function openApiDocument(operations: readonly AnyOperation[], version: string): Json {
  const paths: Record<string, Json> = {}
  for (const op of operations) {
    if (!op.http) continue
    paths[op.http.path] = { ...paths[op.http.path], [op.http.method]: describe(op) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Studio',
      version,
      description: 'A workspace for tracker work items, and a scheduler for loading docks.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    paths,
    components: {
      schemas: { Error: errorSchema },
      securitySchemes: {
        dockKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: "A tenant's dock key" },
      },
    },
  }
}

function describe(op: AnyOperation): Json {
  const { method, path, extension } = op.http!
  const input = z.toJSONSchema(op.input, { io: 'input', unrepresentable: 'any' }) as {
    properties?: Record<string, Json>
    required?: string[]
  }
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!)
  const sendsBody = method !== 'get' && method !== 'delete'
  return {
    operationId: op.id,
    summary: op.summary,
    ...(op.description ? { description: op.description } : {}),
    ...(extension ? { 'x-extension': true } : {}),
    security: op.access === 'tenant' ? [{ dockKey: [] }] : [],
    parameters: [
      ...parametersOf(op, input, { inPath, inQuery: !sendsBody }),
      ...(givesArray(op) ? pageParameters : []),
    ],
    ...(sendsBody ? bodyOf(input, inPath) : {}),
    responses: responsesOf(op),
  }
}

function parametersOf(
  op: AnyOperation,
  input: { properties?: Record<string, Json>; required?: string[] },
  where: { inPath: string[]; inQuery: boolean },
): Json[] {
  const wireNames = new Map(Object.entries(op.http!.query ?? {}).map(([wire, field]) => [field, wire]))
  return Object.entries(input.properties ?? {}).flatMap(([name, schema]) => {
    const isPath = where.inPath.includes(name)
    if (!isPath && !where.inQuery) return []
    const { description, ...rest } = schema
    const required = isPath || (input.required ?? []).includes(name)
    return [
      {
        name: wireNames.get(name) ?? name,
        in: isPath ? 'path' : 'query',
        required,
        description: description ?? '',
        schema: rest,
      },
    ]
  })
}

const pageParameters: Json[] = [
  {
    name: 'limit',
    in: 'query',
    required: false,
    description: 'Cuts the array; X-Total-Count and X-Next-Cursor then say the rest',
    schema: { type: 'integer', minimum: 1, maximum: 200 },
    'x-extension': true,
  },
  {
    name: 'cursor',
    in: 'query',
    required: false,
    description: 'From X-Next-Cursor: where to go on',
    schema: { type: 'string' },
    'x-extension': true,
  },
]

function bodyOf(input: Json & { properties?: Record<string, Json>; required?: string[] }, inPath: string[]): Json {
  const properties = Object.fromEntries(
    Object.entries(input.properties ?? {}).filter(([name]) => !inPath.includes(name)),
  )
  const required = (input.required ?? []).filter((name) => !inPath.includes(name))
  const { $schema: _, ...rest } = input
  const schema = { ...rest, properties, required }
  return { requestBody: { required: required.length > 0, content: { 'application/json': { schema } } } }
}

function responsesOf(op: AnyOperation): Json {
  const { $schema: _, ...output } = z.toJSONSchema(op.output, { io: 'output', unrepresentable: 'any' }) as Json
  const codes: ErrorCode[] = ['invalid', ...op.errors, 'internal', 'unavailable', 'timeout']
  if (op.effect !== 'read') codes.push('conflict')
  const byStatus = new Map<number, ErrorCode[]>()
  for (const code of codes) byStatus.set(httpStatusOf(code), [...(byStatus.get(httpStatusOf(code)) ?? []), code])
  const errors = [...byStatus].map(([status, own]) => [
    String(status),
    {
      description: [...new Set(own)].join(', '),
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
    },
  ])
  return {
    '200': { description: 'Success', content: { 'application/json': { schema: output } } },
    ...Object.fromEntries(errors),
  }
}

const errorSchema = {
  type: 'object',
  required: ['status', 'code', 'message', 'hint', 'details', 'requestId'],
  properties: {
    status: { const: 'error' },
    code: { type: 'string', description: 'Stable; the family of it gives the status' },
    message: { type: 'string' },
    hint: { type: ['string', 'null'], description: 'The exact next call or command that mends it' },
    details: {
      type: 'array',
      items: {
        type: 'object',
        required: ['path', 'message'],
        properties: { path: { type: 'string' }, message: { type: 'string' } },
      },
    },
    requestId: { type: ['string', 'null'] },
  },
}
