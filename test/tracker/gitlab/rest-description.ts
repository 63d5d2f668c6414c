import type { ApiDescription, DescribedCall, DescribedParameter } from '../published-api/published-api'

const inPath = (name: string): DescribedParameter => ({ name, in: 'path', required: true, schema: { type: 'string' } })
const inQuery = (name: string): DescribedParameter => ({ name, in: 'query', schema: { type: 'integer' } })

const HOOK = {
  type: 'object',
  properties: {
    url: { type: 'string' },
    token: { type: 'string' },
    push_events: { type: 'boolean' },
    enable_ssl_verification: { type: 'boolean' },
    issues_events: { type: 'boolean' },
    confidential_issues_events: { type: 'boolean' },
    note_events: { type: 'boolean' },
    confidential_note_events: { type: 'boolean' },
  },
  required: ['url'],
}
const hookCall = (status: number, ...names: string[]): DescribedCall => ({
  parameters: names.map(inPath),
  body: { required: true, content: { 'application/json': HOOK } },
  answers: { [status]: {} },
})
const download: DescribedCall = { parameters: ['id', 'secret', 'filename'].map(inPath), answers: { 200: null } }

/** The calls of GitLab's REST API that the adapter uses. */
export const REST: ApiDescription = {
  source: 'docs.gitlab.com/api/project_markdown_uploads, group_markdown_uploads and project_webhooks, transcribed',
  calls: {
    'POST /api/v4/projects/{id}/uploads': {
      parameters: [inPath('id')],
      body: {
        required: true,
        content: { 'multipart/form-data': { type: 'object', properties: { file: {} }, required: ['file'] } },
      },
      answers: {
        201: {
          type: 'object',
          properties: {
            id: { type: 'integer' },
            alt: { type: 'string' },
            url: { type: 'string' },
            full_path: { type: 'string' },
            markdown: { type: 'string' },
          },
        },
      },
    },
    'GET /api/v4/projects/{id}/uploads/{secret}/{filename}': download,
    'GET /api/v4/groups/{id}/uploads/{secret}/{filename}': download,
    'GET /api/v4/projects/{id}/hooks': {
      parameters: [inPath('id'), inQuery('page'), inQuery('per_page')],
      answers: { 200: { type: 'array', items: {} } },
    },
    'POST /api/v4/projects/{id}/hooks': hookCall(201, 'id'),
    'PUT /api/v4/projects/{id}/hooks/{hook_id}': hookCall(200, 'id', 'hook_id'),
  },
  definitions: {},
}
