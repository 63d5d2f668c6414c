import { answerIssue, done, fail, type Handler, MISSING, paginate, withIssue } from './calls'
import { editIssue } from './edit-issue'
import { type JiraSite, LINK_TYPES, TYPES, VIEWER } from './jira-site'
import { toComment, type Wire } from './wire-issue'

export const create: Handler = ({ site, request }) => {
  const { fields = {} } = request.body
  const type = TYPES.find(({ id, name }) => id === fields.issuetype?.id || name === fields.issuetype?.name)
  const missing: Record<string, string> = {}
  if (fields.project?.key !== site.project.key && fields.project?.id !== '10000')
    missing['project'] = 'Specify a valid project ID or key'
  if (!type) missing['issuetype'] = 'Specify a valid issue type'
  if (fields.summary === undefined) missing['summary'] = 'You must specify a summary of the issue.'
  if (type?.level === -1 && !fields.parent)
    missing['parent'] = 'Issue type is a sub-task but parent issue key or id not specified.'
  for (const { id, name, required } of site.fields.further)
    if (required && (fields[id] ?? null) === null) missing[id] = `${name} is required.`
  if (Object.keys(missing).length > 0) return fail(400, null, missing)
  const issue = site.add({ type: type!.name })
  const errors = editIssue(site, issue, request.body)
  if (Object.keys(errors).length > 0) {
    site.issues.delete(issue.id)
    return fail(400, null, errors)
  }
  for (const { key, value } of request.body.properties ?? []) issue.properties[key] = value
  const self = `${request.url}/rest/api/3/issue/${issue.id}`
  return { status: 201, json: { id: String(issue.id), key: issue.key, self } }
}

export const edit = withIssue((issue, call) => {
  const errors = editIssue(call.site, issue, call.request.body)
  if (Object.keys(errors).length > 0) return fail(400, null, errors)
  issue.updated = call.site.tick()
  const returns = call.site.deployment === 'cloud' && call.request.query.get('returnIssue') === 'true'
  return returns ? answerIssue(issue, call) : done
})

export const assign = withIssue((issue, { site, request }) => {
  const errors = editIssue(site, issue, { fields: { assignee: request.body } })
  if (Object.keys(errors).length > 0) return fail(400, null, errors)
  issue.updated = site.tick()
  return done
})

export const createLink: Handler = ({ site, request: { body } }) => {
  const type = LINK_TYPES.find(({ id, name }) => name === body.type?.name || id === body.type?.id)
  if (!type) return fail(404, `No issue link type with name '${body.type?.name}' found.`)
  const read = ({ id, key }: Wire) => site.find(id ?? key)
  const [from, to] = [read(body.inwardIssue), read(body.outwardIssue)]
  if (!from || !to) return fail(404, MISSING)
  const isThere = site.links.some((one) => one.type === type.name && one.from === from.key && one.to === to.key)
  if (!isThere) {
    site.links.push({ id: site.takeId(), type: type.name, from: from.key, to: to.key })
    from.updated = to.updated = site.tick()
  }
  return { status: 201, text: '' }
}

export const deleteLink: Handler = ({ site, parts }) => {
  const at = site.links.findIndex(({ id }) => String(id) === parts[0])
  if (at < 0) return fail(404, `No issue link with id '${parts[0]}' exists.`)
  const [{ from, to }] = site.links.splice(at, 1) as [JiraSite['links'][number]]
  for (const key of [from, to]) site.find(key)!.updated = site.tick()
  return done
}

export const addComment = withIssue((issue, { site, request: { body } }) => {
  const isValid = site.deployment === 'cloud' ? body.body?.type === 'doc' : typeof body.body === 'string'
  if (!isValid || body.body === '') return fail(400, null, { comment: 'Comment body is not valid!' })
  const at = site.tick()
  const comment = { id: site.takeId(), author: VIEWER, body: body.body, created: at }
  issue.comments.push(comment)
  issue.updated = at
  return { status: 201, json: toComment(site, comment) }
})

export const listComments = withIssue((issue, call) => {
  const { site, request } = call
  const comments = issue.comments.map((one) => toComment(site, one))
  if (request.query.get('orderBy')?.startsWith('-')) comments.reverse()
  return { json: paginate(call, comments, 100, 'comments') }
})
