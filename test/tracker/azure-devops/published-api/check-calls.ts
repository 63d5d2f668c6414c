import type { SchemaObject } from 'ajv'
import { onTestFinished } from 'vitest'
import { startTestSandbox, type TestSandbox, type TestSandboxOptions } from '../../../sandbox/test-sandbox'
import {
  type ApiDescription,
  type DescribedCall,
  openPublishedApi,
  type SentAnswer,
  type SentRequest,
} from '../../published-api/published-api'
import published from './description.json'

const VERSION = { name: 'api-version', in: 'query', required: true, schema: { type: 'string' } }
const ORGANIZATION = { name: 'organization', in: 'path', required: true, schema: { type: 'string' } }

/** Calls that Microsoft documents in other places only. */
const FURTHER_CALLS: Record<string, DescribedCall> = {
  // Its guide "Batch update operations" of work items.
  'PATCH /{organization}/_apis/wit/$batch': {
    parameters: [ORGANIZATION, VERSION],
    body: {
      required: true,
      content: {
        'application/json': {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              method: { const: 'PATCH' },
              uri: { type: 'string' },
              headers: { const: { 'Content-Type': 'application/json-patch+json' } },
              body: { $ref: '#/definitions/JsonPatchDocument' },
            },
            required: ['method', 'uri', 'headers', 'body'],
          },
        },
      },
    },
    answers: { 200: {} },
  },
  // Its clients begin with this call. Only its guides name it.
  'GET /{organization}/_apis/connectionData': { parameters: [ORGANIZATION, VERSION], answers: { 200: {} } },
}

/** As the description of version 4.1 has it, with the projects that were added since. */
const REPORTED_LINK = {
  type: 'object',
  properties: {
    rel: { type: 'string' },
    linkType: { type: 'string' },
    sourceId: { type: 'integer' },
    targetId: { type: 'integer' },
    changedDate: { type: 'string', format: 'date-time' },
    changedBy: { $ref: '#/definitions/IdentityRef' },
    changedOperation: { enum: ['create', 'remove'] },
    comment: { type: 'string' },
    isActive: { type: 'boolean' },
    sourceProjectId: { type: 'string', format: 'uuid' },
    targetProjectId: { type: 'string', format: 'uuid' },
  },
}

/** What the description says otherwise than the examples beside it, or in a later version. */
const CORRECTED: Record<string, (schema: SchemaObject) => SchemaObject> = {
  // A map of links without `links` around it.
  ReferenceLinks: () => ({}),
  WorkItemTypeFieldInstance: (schema) => allowNull(schema, 'defaultValue'),
  WorkItemStateTransition: (schema) => allowNull(schema, 'actions'),
  // The description has lost the type of the entries, which Microsoft's clients have.
  ReportingWorkItemRevisionsBatch: (schema) =>
    addField(schema, 'values', { type: 'array', items: { $ref: '#/definitions/WorkItem' } }),
  ReportingWorkItemLinksBatch: (schema) => addField(schema, 'values', { type: 'array', items: REPORTED_LINK }),
  Comment: (schema) => addField(schema, 'commentId', { type: 'integer' }),
  // The description of version 7.2 has it, in lower case. Servers answer in either case.
  WorkItem: (schema) =>
    addField(schema, 'multilineFieldsFormat', {
      type: 'object',
      additionalProperties: { enum: ['markdown', 'Markdown', 'html', 'Html'] },
    }),
}

/** Microsoft's description, with what it says in another form than JSON Schema does. */
const description: ApiDescription = {
  source: published.source,
  calls: { ...adaptCalls(published.calls as unknown as ApiDescription['calls']), ...FURTHER_CALLS },
  definitions: mapValues(published.definitions as ApiDescription['definitions'], (schema, name) =>
    (CORRECTED[name] ?? ((same) => same))(adapt(schema)),
  ),
}

const api = openPublishedApi(description, { ignoresCase: true })

/** The path of an area or an iteration has several parts. */
function adaptCalls(calls: ApiDescription['calls']): ApiDescription['calls'] {
  const adapted = Object.entries(calls).map(([key, call]) => [
    key.replace('/{structureGroup}/{path?}', '/{structureGroup}/{path*}'),
    adaptCall(call, key),
  ])
  return Object.fromEntries(adapted)
}

function adaptCall({ parameters, body, answers }: DescribedCall, key: string): DescribedCall {
  const isUpload = /^(?:POST|PUT) .*\/attachments/.test(key)
  return {
    parameters: parameters.map((one) => ({
      ...one,
      // The description has the name of a variable of the clients, and its text the one of the header.
      name: one.name === 'contentRangeHeader' ? 'Content-Range' : one.name,
      schema: adapt(one.schema),
    })),
    // An upload in chunks begins without a body.
    ...(body && { body: { required: !key.startsWith('POST') || !isUpload, content: mapValues(body.content, adapt) } }),
    answers: Object.fromEntries(
      Object.entries(answers).flatMap(([status, schema]) => {
        const adapted = schema && wrapList(adapt(schema))
        // The examples of uploads have 201. An answer without a described body has no content.
        const further = isUpload ? '201' : schema === null ? '204' : status
        return [status, further].map((one) => [one, adapted])
      }),
    ),
  }
}

/** `object` is the type of any value in the language of the server. */
function adapt(schema: SchemaObject): SchemaObject {
  const { properties, items, additionalProperties: more, ...rest } = schema
  if (rest['type'] === 'object' && !properties && more === undefined) return {}
  return {
    ...rest,
    ...(properties && { properties: mapValues(properties as Record<string, SchemaObject>, adapt) }),
    ...(items && { items: adapt(items) }),
    ...(more !== undefined && { additionalProperties: typeof more === 'object' ? adapt(more) : more }),
  }
}

/** A list is never sent bare. */
function wrapList(schema: SchemaObject): SchemaObject {
  if (schema['type'] !== 'array') return schema
  const properties = { count: { type: 'integer' }, value: schema }
  return { type: 'object', properties, required: ['count', 'value'] }
}

function allowNull(schema: SchemaObject, name: string): SchemaObject {
  return addField(schema, name, { ...schema['properties'][name], nullable: true })
}

function addField(schema: SchemaObject, name: string, field: SchemaObject): SchemaObject {
  return { ...schema, properties: { ...schema['properties'], [name]: field } }
}

function mapValues<Value, Mapped>(
  values: Record<string, Value>,
  map: (value: Value, key: string) => Mapped,
): Record<string, Mapped> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, map(value, key)]))
}

/** What of a request and its answer differs from Microsoft's description. The changes of a batch are requests, too. */
export function findMismatches(request: SentRequest, answer: SentAnswer | null): string[] {
  const mismatches = api.findMismatches(request, answer)
  if (mismatches.length > 0 || !/\/\$batch/.test(request.url)) return mismatches
  const organization = /^\/[^/]+/.exec(request.url)![0]
  return (request.body as { uri: string; method: string; headers: Record<string, string>; body: unknown }[]).flatMap(
    ({ uri, method, headers, body }) =>
      api.findMismatches(
        { method, url: organization + uri, headers: { 'content-type': headers['Content-Type'] }, body },
        null,
      ),
  )
}

/** A sandbox that is closed at the end of the test, which fails if a request or an answer differs from Microsoft's description. */
export async function startCheckedSandbox(options: TestSandboxOptions = {}): Promise<TestSandbox> {
  const mismatches: string[] = []
  const sandbox = await startTestSandbox({
    ...options,
    observe({ method, url, headers, body, bytes }, answer) {
      const isJson = answer?.headers['content-type']?.includes('json')
      const sent = answer && { status: answer.status, ...(isJson && { json: JSON.parse(answer.body) }) }
      const content = headers['content-type']?.includes('json') && body !== '' ? JSON.parse(body) : bytes?.toString()
      mismatches.push(...findMismatches({ method, url, headers, body: content }, sent))
    },
  })
  onTestFinished(async () => {
    await sandbox.close()
    if (mismatches.length > 0) throw new Error(`Not as Microsoft describes it:\n${[...new Set(mismatches)].join('\n')}`)
  })
  return sandbox
}
