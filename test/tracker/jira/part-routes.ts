import type { Reply, StubRequest } from '../azure-devops/stub-server'
import { type Call, done, fail, type Handler, MISSING, paginate, withIssue } from './calls'
import { type FakeComment, type FakeIssue, type FakeWorklog, type JiraSite, VIEWER } from './jira-site'
import { listCreateFields } from './site-description'
import { toAttachment, toComment, toUser, type Wire } from './wire-issue'

const DEFAULT_LIMIT = 10_485_760

const attach = withIssue((issue, { site, request }) => {
  if (request.headers['x-atlassian-token'] !== 'no-check') return fail(403, 'XSRF check failed')
  const boundary = /boundary=(.+)$/.exec(request.headers['content-type'] ?? '')?.[1]
  const parts = String(request.body).split(`--${boundary}`).slice(1, -1)
  const added = parts.flatMap((part) => {
    const head =
      /^\r\nContent-Disposition: form-data; name="file"; filename="([^"]*)"\r\nContent-Type: (\S+)\r\n\r\n/.exec(part)
    if (!head) return []
    const content = Buffer.from(part.slice(head[0].length, -2))
    const [filename, mimeType] = [decodeURIComponent(head[1]!), head[2]!]
    const common = { author: VIEWER, created: site.tick(), size: content.length }
    return [{ id: site.takeId(), filename, mimeType, content, ...common }]
  })
  if (added.length === 0) return fail(400, 'No file was sent.')
  issue.attachments = [...issue.attachments, ...added]
  issue.updated = site.now
  return { json: added.map((one) => toAttachment(site, one)) }
})

function findAttachment(site: JiraSite, id: string) {
  const issues = [...site.issues.values()].filter(({ isHidden }) => !isHidden)
  return issues.flatMap(({ attachments }) => attachments).find((one, i) => String(one.id ?? i + 1) === id)
}

/** The place of the content: a media service, to which Cloud redirects, or a page of the server. */
export function openMedia(site: JiraSite, request: StubRequest & { isAnonymous: boolean }): Reply | null {
  const isCloud = site.deployment === 'cloud'
  const [, id] = (isCloud ? /^\/media\/(\d+)$/ : /^\/secure\/attachment\/(\d+)\/[^/]+$/).exec(request.path) ?? []
  if (id === undefined) return null
  const found = !isCloud && request.isAnonymous ? undefined : findAttachment(site, id)
  if (!found) return fail(404, 'The attachment was not found.')
  const content = found.content ?? Buffer.alloc(found.size)
  const etag = `"${id}"`
  const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0)
  const isPart = from > 0 && request.headers['if-range'] === etag
  if (isPart && from >= content.length) return { status: 416, text: '' }
  const headers = { 'content-type': found.mimeType ?? 'image/png', etag }
  if (!isPart) return { text: content, headers }
  const range = { 'content-range': `bytes ${from}-${content.length - 1}/${content.length}` }
  return { status: 206, text: content.subarray(from), headers: { ...headers, ...range } }
}

const withComment = (handle: (comment: FakeComment, issue: FakeIssue, call: Call) => Reply): Handler =>
  withIssue((issue, call) => {
    const comment = issue.comments.find(({ id }) => String(id) === call.parts[1])
    return comment ? handle(comment, issue, call) : fail(404, 'The comment was not found.')
  })

const toWebLink = ({ id, globalId, url, title }: FakeIssue['webLinks'][number]): Wire => ({
  id,
  ...(globalId === null ? {} : { globalId }),
  object: { url, title },
})

const addWebLink = withIssue((issue, { site, request: { body, url } }) => {
  const known = issue.webLinks.find(({ globalId }) => globalId !== null && globalId === body.globalId)
  const link = known ?? { id: site.takeId(), globalId: body.globalId ?? null, url: '', title: '' }
  Object.assign(link, { url: body.object.url, title: body.object.title })
  if (!known) issue.webLinks = [...issue.webLinks, link]
  issue.updated = site.tick()
  return {
    status: known || site.deployment === 'server' ? 200 : 201,
    json: { id: link.id, self: `${url}/rest/api/3/issue/${issue.id}/remotelink/${link.id}` },
  }
})

function toWorklog(site: JiraSite, { id, author, comment, started, seconds }: FakeWorklog): Wire {
  const by = toUser(site, author)
  const text = comment === undefined ? {} : { comment }
  return { id: String(id), author: by, updateAuthor: by, ...text, started, timeSpentSeconds: seconds }
}

const addWorklog = withIssue((issue, { site, request: { body } }) => {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}[+-]\d{4}$/.test(body.started))
    return fail(400, null, { started: `Unable to parse date: ${body.started}` })
  const isText = site.deployment === 'cloud' ? body.comment?.type === 'doc' : typeof body.comment === 'string'
  if (body.comment !== undefined && !isText) return fail(400, null, { comment: 'Comment body is not valid!' })
  const { comment, started, timeSpentSeconds: seconds } = body
  const worklog = { id: site.takeId(), author: VIEWER, comment, started, seconds }
  issue.worklogs = [...issue.worklogs, worklog]
  issue.updated = site.tick()
  return { status: 201, json: toWorklog(site, worklog) }
})

/** The oldest first. A server returns all of them, whatever part is asked for. */
const listWorklogs = withIssue((issue, call) => {
  const all = issue.worklogs.map((one) => toWorklog(call.site, one))
  const isCloud = call.site.deployment === 'cloud'
  if (isCloud) return { json: paginate(call, all, 5000, 'worklogs') }
  return { json: { startAt: 0, maxResults: all.length, total: all.length, worklogs: all } }
})

const remove = withIssue((issue, { site, request }) => {
  const subtasks = [...site.issues.values()].filter(({ parent, type }) => parent === issue.key && type === 'Sub-task')
  if (subtasks.length > 0 && request.query.get('deleteSubtasks') !== 'true')
    return fail(
      400,
      `The issue '${issue.key}' has subtasks. You must specify the 'deleteSubtasks' parameter to delete this issue and all its subtasks.`,
    )
  for (const { id } of [issue, ...subtasks]) site.issues.delete(id)
  return done
})

const listFilters = ({ options }: JiraSite) => options.filters ?? []

const toFilter = (site: JiraSite, { id, name, jql }: ReturnType<typeof listFilters>[number]): Wire => ({
  id: String(id),
  name,
  jql,
  viewUrl: `https://jira.example/issues/?filter=${id}`,
  owner: toUser(site, VIEWER),
})

const withProperty = (handle: (key: string, issue: FakeIssue) => Reply): Handler =>
  withIssue((issue, { parts }) =>
    parts[1]! in issue.properties ? handle(parts[1]!, issue) : fail(404, 'The property was not found.'),
  )

export const partRoutes: [string, string, Handler][] = [
  [
    'GET',
    'attachment/meta',
    ({ site }) => ({ json: { enabled: true, uploadLimit: site.options.uploadLimit ?? DEFAULT_LIMIT } }),
  ],
  ['POST', 'issue/([^/]+)/attachments', attach],
  ['DELETE', 'issue/([^/]+)', remove],
  [
    'GET',
    'issue/([^/]+)/editmeta',
    withIssue((issue, { site }) => {
      const fields = listCreateFields(site, issue.type).map(({ fieldId, ...field }) => [fieldId, field])
      return { json: { fields: Object.fromEntries(fields) } }
    }),
  ],
  ['GET', 'issue/([^/]+)/comment/(\\d+)', withComment((comment, _, { site }) => ({ json: toComment(site, comment) }))],
  [
    'PUT',
    'issue/([^/]+)/comment/(\\d+)',
    withComment((comment, issue, { site, request: { body } }) => {
      const isValid = site.deployment === 'cloud' ? body.body?.type === 'doc' : typeof body.body === 'string'
      if (!isValid || body.body === '') return fail(400, null, { comment: 'Comment body is not valid!' })
      comment.body = body.body
      issue.updated = site.tick()
      return { json: toComment(site, comment) }
    }),
  ],
  [
    'DELETE',
    'issue/([^/]+)/comment/(\\d+)',
    withComment((comment, issue, { site }) => {
      issue.comments = issue.comments.filter((one) => one !== comment)
      issue.updated = site.tick()
      return done
    }),
  ],
  ['GET', 'issue/([^/]+)/remotelink', withIssue((issue) => ({ json: issue.webLinks.map(toWebLink) }))],
  ['POST', 'issue/([^/]+)/remotelink', addWebLink],
  [
    'DELETE',
    'issue/([^/]+)/remotelink/(\\d+)',
    withIssue((issue, { parts }) => {
      const others = issue.webLinks.filter(({ id }) => String(id) !== parts[1])
      if (others.length === issue.webLinks.length) return fail(404, 'The link was not found.')
      issue.webLinks = others
      return done
    }),
  ],
  ['GET', 'issue/([^/]+)/worklog', listWorklogs],
  ['POST', 'issue/([^/]+)/worklog', addWorklog],
  [
    'GET',
    'issue/([^/]+)/properties/([^/]+)',
    withProperty((key, issue) => ({ json: { key, value: issue.properties[key] } })),
  ],
  [
    'DELETE',
    'issue/([^/]+)/properties/([^/]+)',
    withProperty((key, issue) => {
      delete issue.properties[key]
      return done
    }),
  ],
  [
    'GET',
    'filter/favourite',
    ({ site }) => ({
      json: listFilters(site)
        .filter(({ isFavourite }) => isFavourite)
        .map((one) => toFilter(site, one)),
    }),
  ],
  [
    'GET',
    'filter/(\\d+)',
    ({ site, parts }) => {
      const found = listFilters(site).find(({ id }) => String(id) === parts[0])
      return found
        ? { json: toFilter(site, found) }
        : fail(400, `The selected filter with id '${parts[0]}' does not exist.`)
    },
  ],
]

export const cloudPartRoutes: [string, string, Handler][] = [
  [
    'GET',
    'filter/search',
    (call) => {
      const filters = listFilters(call.site).map((one) => toFilter(call.site, one))
      return { json: paginate(call, filters, 100) }
    },
  ],
  [
    'GET',
    'attachment/content/(\\d+)',
    ({ site, request, parts }) => {
      if (request.isAnonymous || !findAttachment(site, parts[0]!)) return fail(404, MISSING)
      return { status: 303, text: '', headers: { location: `${request.url}/media/${parts[0]}` } }
    },
  ],
]
