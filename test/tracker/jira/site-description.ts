import { FIELD, type FurtherSiteField, type JiraSite, STATUSES, TYPES } from './jira-site'
import { toProject, toStatus, toType, type Wire } from './wire-issue'

const GREENHOPPER = 'com.pyxis.greenhopper.jira'
const STOCK = 'com.atlassian.jira.plugin.system.customfieldtypes'

/** All fields of the site. */
export function listFields({ deployment, fields }: JiraSite): Wire[] {
  const system = (id: string, name: string, type: string, items?: string) => ({
    id,
    ...(deployment === 'cloud' ? { key: id } : {}),
    name,
    custom: false,
    orderable: true,
    navigable: true,
    searchable: true,
    clauseNames: [id],
    schema: { type, system: id, ...(items ? { items } : {}) },
  })
  const custom = (id: string, name: string, type: string, key: string, items?: string) => {
    const customId = Number(id.split('_')[1])
    return {
      ...system(id, name, type, items),
      custom: true,
      clauseNames: [`cf[${customId}]`, name],
      schema: { type, custom: key, customId, ...(items ? { items } : {}) },
    }
  }
  const all = [
    system('summary', 'Summary', 'string'),
    system('description', 'Description', 'string'),
    system('issuetype', 'Issue Type', 'issuetype'),
    system('project', 'Project', 'project'),
    system('status', 'Status', 'status'),
    system('resolution', 'Resolution', 'resolution'),
    system('assignee', 'Assignee', 'user'),
    system('labels', 'Labels', 'array', 'string'),
    system('priority', 'Priority', 'priority'),
    system('parent', 'Parent', 'issuelink'),
    system('subtasks', 'Sub-tasks', 'array', 'issuelinks'),
    system('issuelinks', 'Linked Issues', 'array', 'issuelinks'),
    system('attachment', 'Attachment', 'array', 'attachment'),
    system('comment', 'Comment', 'comments-page'),
    system('created', 'Created', 'datetime'),
    system('updated', 'Updated', 'datetime'),
    system('resolutiondate', 'Resolved', 'datetime'),
    ...(deployment === 'cloud' ? [system('statuscategorychangedate', 'Status Category Changed', 'datetime')] : []),
    custom(FIELD.sprint, 'Sprint', 'array', `${GREENHOPPER}:gh-sprint`, 'json'),
    custom(FIELD.flagged, 'Flagged', 'array', `${STOCK}:multicheckboxes`, 'option'),
    custom(FIELD.points, 'Story Points', 'number', `${STOCK}:float`),
    custom(FIELD.estimate, 'Story point estimate', 'number', `${GREENHOPPER}:jsw-story-points`),
    custom(FIELD.epicLink, 'Epic Link', 'any', `${GREENHOPPER}:gh-epic-link`),
    custom(FIELD.epicName, 'Epic Name', 'string', `${GREENHOPPER}:gh-epic-label`),
    ...fields.further.map(({ id, name, type, items, custom: kind = 'any' }) =>
      id.startsWith('customfield_') ? custom(id, name, type, `${STOCK}:${kind}`, items) : system(id, name, type, items),
    ),
  ]
  return all
    .filter(({ id }) => !fields.missing.includes(id))
    .map((field) => ({ ...field, name: fields.names[field.id] ?? field.name }))
}

/** Options have a value, all others a name. */
function toNamed({ type, items = type, below = {} }: FurtherSiteField) {
  return (name: string, at: number) => ({
    id: String(10_100 + at),
    [items.startsWith('option') ? 'value' : 'name']: name,
    ...(below[name] ? { children: below[name].map((value, i) => ({ id: String(10_500 + i), value })) } : {}),
  })
}

/** The fields of the screen on which issues of a type are created. */
export function listCreateFields(site: JiraSite, typeName: string): Wire[] {
  const isServer = site.deployment === 'server'
  const isSubtask = typeName === 'Sub-task'
  const hidden = [
    'resolutiondate',
    'statuscategorychangedate',
    'status',
    'resolution',
    'subtasks',
    'comment',
    'created',
    'updated',
    'issuelinks',
    'attachment',
  ]
  if (isServer && !isSubtask) hidden.push('parent')
  if (!isServer || typeName !== 'Epic') hidden.push(FIELD.epicName)
  if (!isServer || isSubtask || typeName === 'Epic') hidden.push(FIELD.epicLink)
  const own = new Map(site.fields.further.map((field) => [field.id, field]))
  const ownRequired = site.fields.further.filter((field) => field.required).map(({ id }) => id)
  const required = ['summary', 'project', 'issuetype', ...(isSubtask ? ['parent'] : []), FIELD.epicName, ...ownRequired]
  return listFields(site)
    .filter(({ id }) => !hidden.includes(id) && !site.fields.offScreen.includes(id))
    .map(({ id, name, schema }) => ({
      fieldId: id,
      ...(isServer ? {} : { key: id }),
      name,
      schema,
      required: required.includes(id),
      hasDefaultValue: id === 'priority',
      operations: id === 'labels' ? ['add', 'set', 'remove'] : ['set'],
      ...(id === 'priority' ? { allowedValues: site.priorities } : {}),
      ...(own.get(id)?.allowed ? { allowedValues: own.get(id)!.allowed!.map(toNamed(own.get(id)!)) } : {}),
      ...(id === FIELD.flagged ? { allowedValues: [{ id: '10019', value: 'Impediment' }] } : {}),
    }))
}

export const listTypes = (site: JiraSite): Wire[] => TYPES.map(({ name }) => toType(site, name))

export const describeProject = (site: JiraSite): Wire => ({
  ...toProject(site),
  ...(site.deployment === 'cloud' ? { style: site.options.isTeamManaged ? 'next-gen' : 'classic' } : {}),
  issueTypes: listTypes(site),
})

export const listTypeStatuses = (): Wire[] =>
  TYPES.map(({ id, name, level }) => ({
    id,
    name,
    self: `https://jira.example/rest/api/3/issuetype/${id}`,
    subtask: level === -1,
    statuses: STATUSES.map((status) => toStatus(status.name)),
  }))

export const describeServer = (site: JiraSite, url: string): Wire => ({
  baseUrl: url,
  version: site.deployment === 'cloud' ? '1001.0.0-SNAPSHOT' : '9.12.15',
  versionNumbers: site.deployment === 'cloud' ? [1001, 0, 0] : [9, 12, 15],
  deploymentType: site.deployment === 'cloud' ? 'Cloud' : 'Server',
  buildNumber: 100_283,
  serverTime: site.formatTime(site.now),
  serverTitle: 'Jira',
})
