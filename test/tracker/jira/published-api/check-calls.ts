import type { SchemaObject } from 'ajv'
import type { Reply, StubRequest } from '../../azure-devops/stub-server'
import {
  type ApiDescription,
  type DescribedCall,
  openPublishedApi,
  type PublishedApi,
} from '../../published-api/published-api'
import type { Deployment } from '../jira-site'
import cloud from './cloud.json'
import dataCenter from './data-center.json'

/** The descriptions give the type of an entry as the type of these lists. */
const LISTS = [
  'GET /rest/api/3/issue/{issueIdOrKey}/remotelink',
  'GET /api/2/field',
  'GET /api/2/filter/favourite',
  'GET /api/2/issue/{issueIdOrKey}/remotelink',
  'GET /api/2/issuetype',
  'GET /api/2/priority',
  'GET /api/2/project/{projectIdOrKey}/statuses',
  'GET /api/2/status',
  'GET /api/2/user/assignable/search',
  'POST /api/2/issue/{issueIdOrKey}/attachments',
]
/** And of these pages. */
const PAGES = [
  'GET /agile/1.0/board',
  'GET /agile/1.0/board/{boardId}/sprint',
  'GET /api/2/issue/createmeta/{projectIdOrKey}/issuetypes/{issueTypeId}',
]

const PAGE = {
  startAt: { type: 'integer' },
  maxResults: { type: 'integer' },
  total: { type: 'integer' },
  isLast: { type: 'boolean' },
}

/** The texts name the only part. The schemas are those of a list of files, and of a file. */
const FORM = { type: 'object', properties: { file: {} }, required: ['file'] }

const OPERATION = {
  type: 'object',
  properties: { add: {}, remove: {}, set: {}, edit: {} },
  additionalProperties: false,
  minProperties: 1,
  maxProperties: 1,
}
const ANY_FIELDS = { type: 'object', additionalProperties: {} }

/** What the description of Data Center says otherwise than the examples beside it. */
const CORRECTED: Record<string, Record<string, SchemaObject>> = {
  // It says that each value of a field is an object, and of a property a text.
  IssueBean: { fields: ANY_FIELDS },
  EntityPropertyBean: { value: {} },
  IssueUpdateBean: {
    fields: ANY_FIELDS,
    // An operation is the name of a field, and not `operation`.
    update: { type: 'object', additionalProperties: { type: 'array', items: OPERATION } },
  },
  // It has the type of a project within another object. The project itself has these fields, too.
  ProjectBean: {
    issueTypes: { type: 'array', items: { $ref: '#/definitions/IssueTypeJsonBean' } },
    projectTypeKey: { type: 'string' },
  },
}

const apis: Record<Deployment, PublishedApi> = {
  cloud: openPublishedApi(correct(addVersion2(cloud as unknown as ApiDescription))),
  server: openPublishedApi(correct(dataCenter as unknown as ApiDescription)),
}

/** The first call asks which deployment it is, at the address that both have. */
function addVersion2({ calls, ...rest }: ApiDescription): ApiDescription {
  return { ...rest, calls: { ...calls, 'GET /rest/api/2/serverInfo': calls['GET /rest/api/3/serverInfo']! } }
}

function correct({ source, calls, definitions }: ApiDescription): ApiDescription {
  return {
    source,
    calls: Object.fromEntries(Object.entries(calls).map(([key, call]) => [key, correctCall(key, call)])),
    definitions: Object.fromEntries(
      Object.entries(definitions).map(([name, { properties, ...schema }]) => [
        name,
        properties ? { ...schema, properties: { ...properties, ...CORRECTED[name] } } : schema,
      ]),
    ),
  }
}

function correctCall(key: string, { parameters, body, answers }: DescribedCall): DescribedCall {
  const isTransitions = key === 'GET /api/2/issue/{issueIdOrKey}/transitions'
  const one = answers['200']
  const list = { type: 'array', items: one }
  const page = { type: 'object', properties: { ...PAGE, values: list } }
  return {
    // The text of the description names the parameter, its list lacks it.
    parameters: isTransitions
      ? [...parameters, { name: 'expand', in: 'query', schema: { type: 'string' } }]
      : parameters,
    ...(body && { body: body.content['multipart/form-data'] ? { content: { 'multipart/form-data': FORM } } : body }),
    answers: { ...answers, ...(LISTS.includes(key) ? { 200: list } : PAGES.includes(key) ? { 200: page } : {}) },
  }
}

/** What of a request and its answer differs from Atlassian's description of the deployment. */
export function findMismatches(
  deployment: Deployment,
  { method, rawUrl, headers, body }: Pick<StubRequest, 'method' | 'rawUrl' | 'headers' | 'body'>,
  reply: Reply | null,
): string[] {
  // Answers contain or redirect to the addresses of files, which are no part of the API.
  if (/^\/(?:secure\/attachment|media)\//.test(rawUrl)) return []
  const url = deployment === 'cloud' ? rawUrl : rawUrl.replace(/^\/rest/, '')
  return apis[deployment].findMismatches({ method, url, headers, body }, reply)
}
