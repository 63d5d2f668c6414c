import { createPropertyField } from '../services/property-fields'
import type { ItemProperty, ProcessField } from '../tracker'
import type { FurtherField } from './further-fields'
import type { Deployment, WireField } from './jira-client'
import { findPointsFields, type PointsField } from './points-field'

/** The IDs of fields that differ from site to site; null if the site does not have them. */
export interface CustomFields {
  points: PointsField[]
  sprint: string | null
  epicLink: string | null
  epicName: string | null
  flagged: string | null
}

/** What reading issues needs. */
export interface SiteFields {
  deployment: Deployment
  custom: CustomFields
  priorities: { id: string; name: string }[]
  /** Those that can be set and that no property has. */
  further: FurtherField[]
}

/** The names of the fields. Those of sprints and points are the same for all sites, whose custom fields have other IDs. */
export const fieldNames = {
  title: 'summary',
  description: 'description',
  type: 'issuetype',
  state: 'status',
  assignee: 'assignee',
  labels: 'labels',
  priority: 'priority',
  sprint: 'sprint',
  points: 'points',
} as const

export function toFieldName(id: string, { points, sprint }: CustomFields): string {
  if (id === sprint) return fieldNames.sprint
  return points.some((field) => field.id === id) ? fieldNames.points : id
}

export function findCustomFields(fields: readonly WireField[]): CustomFields {
  const byType = (name: string) => fields.find(({ schema }) => schema?.custom?.endsWith(`:${name}`))?.id ?? null
  const byName = (pattern: RegExp, type: string) =>
    fields.find(({ name, schema, custom }) => custom && pattern.test(name) && schema?.type === type)?.id ?? null
  return {
    points: findPointsFields(fields),
    sprint: byType('gh-sprint'),
    epicLink: byType('gh-epic-link'),
    epicName: byType('gh-epic-label'),
    flagged: byName(/^flagged$/i, 'array'),
  }
}

export function listFields({ custom }: Pick<SiteFields, 'custom'>): Map<ItemProperty, ProcessField> {
  const fields = [
    createPropertyField(fieldNames.title, 'title', { name: 'Summary' }),
    createPropertyField(fieldNames.state, 'state', { name: 'Status' }),
    createPropertyField(fieldNames.assignee, 'assignedTo'),
    createPropertyField(fieldNames.labels, 'tags'),
    createPropertyField(fieldNames.priority, 'priority'),
    createPropertyField(fieldNames.description, 'description', { isMarkdown: true }),
    ...(custom.sprint ? [createPropertyField(fieldNames.sprint, 'iterationPath', { name: 'Sprint' })] : []),
    ...(custom.points.length > 0
      ? [createPropertyField(fieldNames.points, 'storyPoints', { name: 'Story points' })]
      : []),
  ]
  return new Map(fields.map((field) => [field.property!, field]))
}
