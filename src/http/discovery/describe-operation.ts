import type { AnyOperation } from '../../kernel'
import { type Json, type JsonSchema, jsonSchemaOf } from '../../kernel/json-schema'
import { isPagedList } from '../read-request'
import { isSingleResource } from '../response-body'
import { callOf, isAddition, partOf } from './capabilities'
import type { Root } from './components'
import { documentedAt, isAddedInput, markAddedFields } from './documented-api'
import { type ExampleCall, exampleCall, pathFields, sendsBody } from './example-call'
import { errorResponses, headersOf, notModified, pageParameters, parameterRef } from './openapi-parts'

const extension = { 'x-extension': true }

/** One operation in OpenAPI. Its schemas are added to `roots`, so that repeated parts can become components. */
export function describeOperation(op: AnyOperation, roots: Root[]): Json {
  const input = jsonSchemaOf(op.input, 'input')
  const example = exampleCall(op)
  const root = (schema: JsonSchema) => {
    roots.push({ id: op.id, schema })
    return schema
  }
  return {
    operationId: op.id,
    summary: op.summary,
    ...(op.description ? { description: op.description } : {}),
    tags: [partOf(op.http!.path).name],
    ...(isAddition(op) ? extension : {}),
    security: securityOf(op),
    parameters: [
      ...parametersOf(op, input, example),
      ...(isPagedList(op) ? pageParameters : []),
      ...(takesIdempotencyKey(op) ? [parameterRef('IdempotencyKey')] : []),
      ...(isSingleResource(op) ? [parameterRef('IfNoneMatch')] : []),
    ],
    ...(sendsBody(op) ? bodyOf(op, root(input), example) : {}),
    responses: {
      '200': successOf(op, root),
      ...(isSingleResource(op) ? { '304': notModified } : {}),
      ...errorResponses(op),
    },
    'x-error-codes': [...new Set(op.errors)].sort(),
  }
}

function securityOf(op: AnyOperation): Json[] {
  switch (op.access) {
    case 'public':
      return [{}, { bearer: [] }]
    case 'tenant':
      return [{ dockKey: [] }]
    default:
      return op.access === 'workspace' ? [{ bearer: [] }, {}] : [{ bearer: [] }]
  }
}

function takesIdempotencyKey(op: AnyOperation): boolean {
  return op.access === 'tenant' && op.http!.method !== 'get'
}

function parametersOf(op: AnyOperation, input: JsonSchema, example: ExampleCall | null): Json[] {
  const wireNames = new Map(Object.entries(op.http!.query ?? {}).map(([wire, field]) => [field, wire]))
  const inPath = pathFields(op.http!.path)
  const documented = documentedAt(op.http!.method, op.http!.path)
  return Object.entries(input.properties ?? {}).flatMap(([field, { description, ...schema }]) => {
    const isPath = inPath.includes(field)
    if (!isPath && sendsBody(op)) return []
    const name = isPath ? field : (wireNames.get(field) ?? field)
    const shown = isPath ? example?.path[name] : example?.query[name]
    return [
      {
        name,
        in: isPath ? 'path' : 'query',
        required: isPath || (input.required ?? []).includes(field),
        ...(description ? { description } : {}),
        schema,
        ...(shown === undefined ? {} : { example: shown }),
        ...(isAddedInput(documented, name) ? extension : {}),
      },
    ]
  })
}

/** The input without the fields of the path. */
function bodyOf(op: AnyOperation, input: JsonSchema, example: ExampleCall | null): Json {
  const inPath = pathFields(op.http!.path)
  const documented = documentedAt(op.http!.method, op.http!.path)
  const own = Object.entries(input.properties ?? {}).filter(([name]) => !inPath.includes(name))
  input.properties = Object.fromEntries(
    own.map(([name, schema]) => [name, isAddedInput(documented, name) ? { ...schema, ...extension } : schema]),
  )
  const required = (input.required ?? []).filter((name) => !inPath.includes(name))
  delete input.required
  if (required.length > 0) input.required = required
  return {
    requestBody: {
      required: required.length > 0,
      content: { 'application/json': { schema: input, ...(example?.body ? { example: example.body } : {}) } },
    },
  }
}

function successOf(op: AnyOperation, root: (schema: JsonSchema) => JsonSchema): Json {
  const schema = root(markAddedFields(jsonSchemaOf(op.output, 'output'), documentedAt(op.http!.method, op.http!.path)))
  return {
    description: `The answer of ${callOf(op)}`,
    headers: headersOf({ isPage: isPagedList(op), hasVersion: isSingleResource(op) }),
    content: { 'application/json': { schema }, ...partsOf(op, root) },
  }
}

/** The streamed answer: the schema is that of one event. */
function partsOf(op: AnyOperation, root: (schema: JsonSchema) => JsonSchema): Json {
  if (!op.stream) return {}
  const schema = root(jsonSchemaOf(op.stream.event, 'output'))
  return { 'text/event-stream': { schema }, 'application/x-ndjson': { schema } }
}
