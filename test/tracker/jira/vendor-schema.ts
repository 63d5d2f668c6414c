import Ajv, { type ValidateFunction } from 'ajv'
import * as platform from 'jira.js/cloud'
import { z } from 'zod'
import type { Reply, StubRequest } from '../azure-devops/stub-server'

type Schema = z.ZodType

/** Method, path, and the schemas of the body and of the response. */
const OPERATIONS: [string, string, Schema | null, Schema | null][] = [
  ['GET', 'api/3/serverInfo', null, platform.ServerInformationSchema],
  ['GET', 'api/3/field', null, z.array(platform.FieldDetailsSchema)],
  ['GET', 'api/3/priority', null, z.array(platform.PrioritySchema)],
  ['GET', 'api/3/status', null, z.array(platform.StatusDetailsSchema)],
  ['GET', 'api/3/issuetype', null, z.array(platform.IssueTypeDetailsSchema)],
  ['GET', 'api/3/project/[^/]+', null, platform.ProjectSchema],
  ['GET', 'api/3/project/[^/]+/statuses', null, z.array(platform.IssueTypeWithStatusSchema)],
  ['GET', 'api/3/issue/createmeta/[^/]+/issuetypes', null, platform.PageOfCreateMetaIssueTypesSchema],
  ['GET', 'api/3/issue/createmeta/[^/]+/issuetypes/\\d+', null, platform.PageOfCreateMetaIssueTypeWithFieldSchema],
  ['POST', 'api/3/issue', platform.IssueUpdateDetailsSchema, platform.CreatedIssueSchema],
  ['POST', 'api/3/issue/bulkfetch', platform.BulkFetchIssueRequestSchema, platform.BulkIssueResultsSchema],
  ['GET', 'api/3/issue/[^/]+', null, platform.IssueSchema],
  ['PUT', 'api/3/issue/[^/]+', platform.IssueUpdateDetailsSchema, platform.IssueSchema],
  ['GET', 'api/3/issue/[^/]+/transitions', null, platform.TransitionsSchema],
  ['POST', 'api/3/issue/[^/]+/transitions', platform.IssueUpdateDetailsSchema, null],
  ['GET', 'api/3/issue/[^/]+/comment', null, platform.PageOfCommentsSchema],
  ['POST', 'api/3/issue/[^/]+/comment', platform.CommentSchema, platform.CommentSchema],
  ['POST', 'api/3/search/jql', platform.SearchAndReconcileRequestSchema, platform.SearchAndReconcileResultsSchema],
  ['GET', 'api/3/search/jql', null, platform.SearchAndReconcileResultsSchema],
  ['POST', 'api/3/bulk/issues/fields', platform.IssueBulkEditPayloadSchema, platform.SubmittedBulkOperationSchema],
  [
    'POST',
    'api/3/bulk/issues/transition',
    platform.IssueBulkTransitionPayloadSchema,
    platform.SubmittedBulkOperationSchema,
  ],
  ['GET', 'api/3/bulk/queue/[^/]+', null, platform.BulkOperationProgressSchema],
]

const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false })
const compiled = new Map<Schema, ValidateFunction>()

/**
 * What of a request and its response differs from the vendor's API description, in the form of the schemas that the stock client was
 * generated with. Fields that it does not describe are differences, too.
 */
export function findMismatches(request: Pick<StubRequest, 'method' | 'path' | 'body'>, reply: Reply): string[] {
  const operation = OPERATIONS.find(
    ([method, path]) => method === request.method && new RegExp(`^/rest/${path}$`).test(request.path),
  )
  if (!operation) return []
  const [, , body, answer] = operation
  const isAnswered = (reply.status ?? 200) < 300 && reply.json !== undefined
  return [
    ...(body ? check('request', body, request.body) : []),
    ...(answer && isAnswered ? check('response', answer, reply.json) : []),
  ]
}

function check(what: string, schema: Schema, value: unknown): string[] {
  const validate = compiled.get(schema) ?? ajv.compile(toJsonSchema(schema))
  compiled.set(schema, validate)
  if (validate(JSON.parse(JSON.stringify(value ?? null)))) return []
  return validate.errors!.map(
    ({ instancePath, message, params }) => `${what}${instancePath} ${message} ${JSON.stringify(params)}`,
  )
}

function toJsonSchema(schema: Schema): object {
  const { $schema: _, ...described } = z.toJSONSchema(schema, {
    target: 'draft-7',
    io: 'input',
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema }) {
      if (zodSchema._zod.def.type === 'date') jsonSchema.type = 'string'
      if (zodSchema._zod.def.type === 'object') jsonSchema.additionalProperties = false
    },
  })
  return described
}
