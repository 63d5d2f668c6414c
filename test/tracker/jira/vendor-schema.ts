import Ajv, { type SchemaObject, type ValidateFunction } from 'ajv'
import type { Reply, StubRequest } from '../azure-devops/stub-server'
import schemas from './vendor-schemas.json'

type Schema = Exclude<keyof typeof schemas, 'source'>
/** The name of a schema, or of the schema of the elements of a list. */
type Shape = Schema | `${Schema}[]`

/** Method, path, and the schemas of the body and of the response. */
const OPERATIONS: [string, string, Shape | null, Shape | null][] = [
  ['GET', 'api/3/serverInfo', null, 'ServerInformation'],
  ['GET', 'api/3/field', null, 'FieldDetails[]'],
  ['GET', 'api/3/priority', null, 'Priority[]'],
  ['GET', 'api/3/status', null, 'StatusDetails[]'],
  ['GET', 'api/3/issuetype', null, 'IssueTypeDetails[]'],
  ['GET', 'api/3/project/[^/]+', null, 'Project'],
  ['GET', 'api/3/project/[^/]+/statuses', null, 'IssueTypeWithStatus[]'],
  ['GET', 'api/3/issue/createmeta/[^/]+/issuetypes', null, 'PageOfCreateMetaIssueTypes'],
  ['GET', 'api/3/issue/createmeta/[^/]+/issuetypes/\\d+', null, 'PageOfCreateMetaIssueTypeWithField'],
  ['POST', 'api/3/issue', 'IssueUpdateDetails', 'CreatedIssue'],
  ['POST', 'api/3/issue/bulkfetch', 'BulkFetchIssueRequest', 'BulkIssueResults'],
  ['GET', 'api/3/issue/[^/]+', null, 'Issue'],
  ['PUT', 'api/3/issue/[^/]+', 'IssueUpdateDetails', 'Issue'],
  ['GET', 'api/3/issue/[^/]+/transitions', null, 'Transitions'],
  ['POST', 'api/3/issue/[^/]+/transitions', 'IssueUpdateDetails', null],
  ['GET', 'api/3/issue/[^/]+/comment', null, 'PageOfComments'],
  ['POST', 'api/3/issue/[^/]+/comment', 'Comment', 'Comment'],
  ['POST', 'api/3/search/jql', 'SearchAndReconcileRequest', 'SearchAndReconcileResults'],
  ['GET', 'api/3/issue/[^/]+/comment/\\d+', null, 'Comment'],
  ['PUT', 'api/3/issue/[^/]+/comment/\\d+', 'Comment', 'Comment'],
  ['GET', 'api/3/issue/[^/]+/editmeta', null, 'IssueUpdateMetadata'],
  ['GET', 'api/3/issue/[^/]+/properties/[^/]+', null, 'EntityProperty'],
  ['GET', 'api/3/issue/[^/]+/remotelink', null, 'RemoteIssueLink[]'],
  ['POST', 'api/3/issue/[^/]+/remotelink', 'RemoteIssueLinkRequest', 'RemoteIssueLinkIdentifies'],
  ['GET', 'api/3/issue/[^/]+/worklog', null, 'PageOfWorklogs'],
  ['POST', 'api/3/issue/[^/]+/worklog', 'WorklogInput', 'Worklog'],
  ['GET', 'api/3/attachment/meta', null, 'AttachmentSettings'],
  ['POST', 'api/3/issue/[^/]+/attachments', null, 'Attachment[]'],
  ['GET', 'api/3/filter/favourite', null, 'Filter[]'],
  ['GET', 'api/3/filter/search', null, 'PageOfFilters'],
  ['GET', 'api/3/filter/\\d+', null, 'Filter'],
  ['GET', 'api/2/serverInfo', null, 'ServerInformation'],
  ['GET', 'api/3/search/jql', null, 'SearchAndReconcileResults'],
  ['POST', 'api/3/bulk/issues/fields', 'IssueBulkEditPayload', 'SubmittedBulkOperation'],
  ['POST', 'api/3/bulk/issues/transition', 'IssueBulkTransitionPayload', 'SubmittedBulkOperation'],
  ['GET', 'api/3/bulk/queue/[^/]+', null, 'BulkOperationProgress'],
]

const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false })
const compiled = new Map<Shape, ValidateFunction>()

/**
 * What of a request and its response differs from the vendor's API description, in the form of the schemas that a stock client was
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

function check(what: string, shape: Shape, value: unknown): string[] {
  const validate = compiled.get(shape) ?? ajv.compile(toJsonSchema(shape))
  compiled.set(shape, validate)
  if (validate(JSON.parse(JSON.stringify(value ?? null)))) return []
  return validate.errors!.map(
    ({ instancePath, message, params }) => `${what}${instancePath} ${message} ${JSON.stringify(params)}`,
  )
}

function toJsonSchema(shape: Shape): SchemaObject {
  const schema = schemas[shape.replace('[]', '') as Schema] as SchemaObject
  return shape.endsWith('[]') ? { type: 'array', items: schema } : schema
}
