import { type FakeComment, type FakeIssue, FIELD, type JiraSite, LINK_TYPES, STATUSES, TYPES, USERS } from './jira-site'

export type Wire = Record<string, any>

export const toUser = ({ deployment }: JiraSite, account: string): Wire => {
  const { name, email } = USERS[account]!
  const common = { displayName: name, emailAddress: email, active: true, timeZone: 'Etc/UTC' }
  return deployment === 'cloud'
    ? { ...common, accountId: account, accountType: 'atlassian' }
    : { ...common, name: account, key: `JIRAUSER${account}` }
}

export const toType = ({ deployment }: JiraSite, name: string): Wire => {
  const { id, level } = TYPES.find((one) => one.name === name)!
  return { id, name, subtask: level === -1, ...(deployment === 'cloud' ? { hierarchyLevel: level } : {}) }
}

export const toStatus = (name: string): Wire => {
  const { id, category } = STATUSES.find((one) => one.name === name)!
  return { id, name, statusCategory: category }
}

export const toProject = (site: JiraSite): Wire => ({
  id: '10000',
  ...site.project,
  projectTypeKey: 'software',
  ...(site.deployment === 'cloud' ? { simplified: site.options.isTeamManaged ?? false } : {}),
})

export function toComment(site: JiraSite, { id, author, body, created }: FakeComment): Wire {
  const [by, at] = [toUser(site, author), site.formatTime(created)]
  return { id: String(id), author: by, updateAuthor: by, body, created: at, updated: at }
}

/** The issue with the fields that a request selects: names, `*all`, `*navigable`, and `-name` for all others. */
export function toIssue(
  site: JiraSite,
  issue: FakeIssue,
  selected: readonly string[],
  properties: readonly string[] = [],
): Wire {
  const all = toFields(site, issue)
  const isAll = selected.some((name) => name.startsWith('*') || name.startsWith('-'))
  const names = Object.keys(all).filter((name) =>
    isAll
      ? !selected.includes(`-${name}`) && (selected.includes('*all') || name !== 'comment')
      : selected.includes(name),
  )
  const head = { id: String(issue.id), key: issue.key, self: `https://jira.example/rest/api/3/issue/${issue.id}` }
  const own = Object.entries(issue.properties).filter(([key]) => properties.includes(key))
  return {
    ...head,
    fields: Object.fromEntries(names.map((name) => [name, all[name]])),
    ...(properties.length > 0 ? { properties: Object.fromEntries(own) } : {}),
  }
}

function toFields(site: JiraSite, issue: FakeIssue): Wire {
  const isServer = site.deployment === 'server'
  const toReference = (other: FakeIssue): Wire => ({
    id: String(other.id),
    key: other.key,
    fields: {
      summary: other.summary,
      status: toStatus(other.status),
      priority: toPriority(site, other.priority),
      issuetype: toType(site, other.type),
    },
  })
  const parent = issue.parent === null ? null : site.find(issue.parent)
  const hasParentField = parent !== null && (!isServer || issue.type === 'Sub-task')
  const subtasks = [...site.issues.values()].filter(
    (one) => one.parent === issue.key && one.type === 'Sub-task' && !one.isHidden,
  )
  return {
    summary: issue.summary,
    description: issue.description,
    issuetype: toType(site, issue.type),
    project: toProject(site),
    status: toStatus(issue.status),
    resolution: issue.resolution === null ? null : { id: '10000', name: issue.resolution },
    assignee: issue.assignee === null ? null : toUser(site, issue.assignee),
    labels: issue.labels,
    priority: toPriority(site, issue.priority),
    ...(hasParentField ? { parent: toReference(parent) } : {}),
    subtasks: subtasks.map(toReference),
    issuelinks: toLinks(site, issue, toReference),
    attachment: issue.attachments.map((one, i) => toAttachment(site, one, i)),
    resolutiondate: issue.resolved === null ? null : site.formatTime(issue.resolved),
    ...(isServer ? {} : { statuscategorychangedate: site.formatTime(issue.statusSince) }),
    created: site.formatTime(issue.created),
    updated: site.formatTime(issue.updated),
    comment: { comments: issue.comments.map((one) => toComment(site, one)), total: issue.comments.length },
    [FIELD.sprint]: issue.sprints.length > 0 ? issue.sprints.map((id) => toSprintValue(site, id)) : null,
    [FIELD.points]: issue.points,
    [FIELD.flagged]: issue.isFlagged ? [{ id: '10019', value: 'Impediment' }] : null,
    ...(isServer ? { [FIELD.epicLink]: issue.type === 'Sub-task' ? null : (parent?.key ?? null) } : {}),
    ...(site.fields.missing.includes(FIELD.estimate) ? {} : { [FIELD.estimate]: null }),
    ...Object.fromEntries(site.fields.further.map(({ id }) => [id, null])),
    ...issue.extra,
  }
}

/** A server writes the sprints of an issue as the text of a Java object. */
function toSprintValue(site: JiraSite, sprintId: number): unknown {
  const { id, name, state, startDate, endDate } = site.sprints.find((one) => one.id === sprintId)!
  if (site.deployment === 'cloud')
    return { id, name, state, boardId: 1, goal: '', ...(startDate ? { startDate, endDate } : {}) }
  const values = Object.entries({
    id,
    rapidViewId: 1,
    state: state.toUpperCase(),
    name,
    startDate: startDate ?? '<null>',
    endDate: endDate ?? '<null>',
    completeDate: '<null>',
    sequence: id,
  })
  return `com.atlassian.greenhopper.service.sprint.Sprint@1d6a3b[${values.map(([key, value]) => `${key}=${value}`).join(',')}]`
}

function toLinks(site: JiraSite, issue: FakeIssue, toReference: (issue: FakeIssue) => Wire): Wire[] {
  return site.links.flatMap(({ id, type: name, from, to }) => {
    const isSource = from === issue.key
    const other = isSource ? site.find(to) : to === issue.key ? site.find(from) : null
    if (!other) return []
    const type = LINK_TYPES.find((one) => one.name === name)!
    return [{ id: String(id), type, [isSource ? 'outwardIssue' : 'inwardIssue']: toReference(other) }]
  })
}

const toPriority = (site: JiraSite, name: string | null): Wire | null =>
  site.priorities.find((one) => one.name === name) ?? null

export function toAttachment(site: JiraSite, one: FakeIssue['attachments'][number], at = 0): Wire {
  const { id = at + 1, filename, size, mimeType = 'image/png', author, created } = one
  return {
    id: String(id),
    filename,
    size,
    mimeType,
    ...(author === undefined ? {} : { author: toUser(site, author) }),
    created: site.formatTime(created ?? site.now),
    content: `https://elsewhere.example/secure/attachment/${id}/${encodeURIComponent(filename)}`,
  }
}
