import { type AnyOperation, isDockAccess } from '../../kernel'
import { type Json, type JsonSchema, jsonSchemaOf } from '../../kernel/input/json-schema'
import type { Root } from '../../kernel/input/lift-repeats'
import { hasVersion } from '../answers/response-body'
import { isPagedList, sendsBody, takesIdempotencyKey } from '../read-request'
import { callOf, isAddition, partOf } from './capabilities'
import { documentedAt, markAddedFields } from './documented-api'
import { type ExampleCall, exampleCall } from './example-call'
import { errorResponses, headersOf, notModified, pageParameters, parameterRef } from './openapi-parts'
import { type WireField, wireFieldsOf } from './wire-fields'

const extension = { 'x-extension': true }

/** One operation in OpenAPI. Its schemas are added to `roots`, so that repeated parts can become components. */
export function describeOperation(op: AnyOperation, roots: Root[]): Json {
  const fields = wireFieldsOf(op)
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
      ...parametersOf(fields, example),
      ...(isPagedList(op) ? pageParameters : []),
      ...(takesIdempotencyKey(op) ? [parameterRef('IdempotencyKey')] : []),
      ...(hasVersion(op) ? [parameterRef('IfNoneMatch')] : []),
    ],
    ...(sendsBody(op) ? bodyOf(root(jsonSchemaOf(op.input, 'input')), fields, example) : {}),
    responses: {
      '200': successOf(op, root),
      ...(hasVersion(op) ? { '304': notModified } : {}),
      ...errorResponses(op),
    },
    'x-error-codes': [...new Set(op.errors)].sort(),
  }
}

function securityOf(op: AnyOperation): Json[] {
  const { access } = op
  if (isDockAccess(access)) return [{ dockKey: [] }, ...(access.serviceAdmins ? [{ bearer: [] }] : [])]
  if (access === 'public') return [{}, { bearer: [] }]
  return access === 'workspace' ? [{ bearer: [] }, {}] : [{ bearer: [] }]
}

function parametersOf(fields: readonly WireField[], example: ExampleCall | null): Json[] {
  return fields.flatMap(({ name, place, schema: { description, ...schema }, isRequired, isAddition }) => {
    if (place === 'body') return []
    const shown = example?.[place][name]
    return [
      {
        name,
        in: place,
        required: isRequired,
        ...(description ? { description } : {}),
        schema,
        ...(shown === undefined ? {} : { example: shown }),
        ...(isAddition ? extension : {}),
      },
    ]
  })
}

/** The body is the input without the fields of the path. */
function bodyOf(input: JsonSchema, fields: readonly WireField[], example: ExampleCall | null): Json {
  const own = fields.filter(({ place }) => place === 'body')
  const required = own.filter(({ isRequired }) => isRequired).map(({ field }) => field)
  input.properties = Object.fromEntries(
    own.map(({ field, schema, isAddition }) => [field, isAddition ? { ...schema, ...extension } : schema]),
  )
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
  if (op.http!.answersFile) return describeFile(op)
  const schema = root(markAddedFields(jsonSchemaOf(op.output, 'output'), documentedAt(op.http!.method, op.http!.path)))
  return {
    description: `The answer of ${callOf(op)}`,
    headers: headersOf({ isPage: isPagedList(op), hasVersion: hasVersion(op) }),
    content: { 'application/json': { schema }, ...partsOf(op, root) },
  }
}

/** The media types are those that the field `type` of the answer may have. */
function describeFile(op: AnyOperation): Json {
  const { properties = {} } = jsonSchemaOf(op.output, 'output') as { properties?: Record<string, { enum?: string[] }> }
  const types = properties['type']?.enum ?? ['application/octet-stream']
  return {
    description: `The answer of ${callOf(op)}: the file itself`,
    headers: headersOf({ isPage: false, hasVersion: true }),
    content: Object.fromEntries(types.map((type) => [type, { schema: { type: 'string', format: 'binary' } }])),
  }
}

/** The streamed answer: the schema is that of one event. */
function partsOf(op: AnyOperation, root: (schema: JsonSchema) => JsonSchema): Json {
  if (!op.stream) return {}
  const schema = root(jsonSchemaOf(op.stream.event, 'output'))
  return { 'text/event-stream': { schema }, 'application/x-ndjson': { schema } }
}
