import * as z from 'zod'
import type { AtlassianTexts } from '../../rich-text/atlassian-texts'
import { toInstant, toInstantOrNull, WireInstant } from '../services/instants'
import { createShape } from '../services/item-shape'
import type { ItemShape, Person, StateCategory, TrackerItem } from '../tracker'
import type { JiraProject } from './address'
import { readFurtherValue } from './further-fields'
import { findCategory, findLevel } from './levels-and-states'
import { readPoints } from './points-field'
import { fieldNames, type SiteFields } from './site-fields'

export const WireReference = z.object({ id: z.string().regex(/^\d{1,15}$/), key: z.string() })
const WireNamed = z.object({ name: z.string() })

export const WireUser = z.object({
  displayName: z.string().optional(),
  accountId: z.string().optional(),
  name: z.string().optional(),
  emailAddress: z.string().optional(),
})

const WireLink = z.object({
  id: z.string(),
  type: z.object({ id: z.string().optional(), inward: z.string(), outward: z.string() }),
  inwardIssue: WireReference.optional(),
  outwardIssue: WireReference.optional(),
})
export type WireLink = z.output<typeof WireLink>

export const WireIssue = WireReference.extend({
  fields: z.looseObject({
    summary: z.string().nullish(),
    description: z.unknown().optional(),
    issuetype: z.object({ name: z.string(), subtask: z.boolean().default(false), hierarchyLevel: z.int().optional() }),
    project: z.object({ simplified: z.boolean().optional() }).nullish(),
    status: WireNamed.extend({ statusCategory: z.object({ key: z.string() }).optional() }),
    resolution: WireNamed.nullish(),
    assignee: WireUser.nullish(),
    labels: z.array(z.string()).default([]),
    priority: z.object({ id: z.string().optional(), name: z.string() }).nullish(),
    parent: WireReference.nullish(),
    issuelinks: z.array(WireLink).default([]),
    attachment: z.array(z.object({ filename: z.string(), size: z.number().nullish() })).default([]),
    created: z.string().nullish(),
    updated: WireInstant,
    resolutiondate: z.string().nullish(),
    statuscategorychangedate: z.string().nullish(),
  }),
})
export type WireIssue = z.output<typeof WireIssue>

const DATES = ['created', 'resolutiondate', 'statuscategorychangedate'] as const
const SHAPE_FIELDS = ['updated', 'parent', 'issuelinks', 'issuetype', 'status']
const TEXT_FIELDS = ['summary', 'description', 'resolution', 'assignee', 'labels', 'priority', 'attachment']

/** The fields of an issue to request: of the whole one, or only those that its shape depends on. */
export function listWireFields({ custom, further }: SiteFields, part: 'all' | 'shape'): string[] {
  const ofShape = [...SHAPE_FIELDS, custom.epicLink].filter((id) => id !== null)
  if (part === 'shape') return ofShape
  const points = custom.points.map(({ id }) => id)
  const style = points.length > 1 ? ['project'] : []
  const own = [custom.sprint, custom.flagged].filter((id) => id !== null)
  return [
    ...new Set([...ofShape, ...TEXT_FIELDS, ...DATES, ...own, ...points, ...style, ...further.map(({ id }) => id)]),
  ]
}

/** What mapping an issue needs. `epics` are the IDs of the epics by their keys, which Data Center names by key alone. */
export interface IssueMapping {
  project: JiraProject
  metadata: SiteFields
  texts: AtlassianTexts
  epics: ReadonlyMap<string, number>
}

/** Reasons with which an issue is closed and was not done. */
const REMOVED = /^(?:won'?t (?:do|fix)|duplicate|cannot reproduce|declined|incomplete|invalid|obsolete|abandoned)$/i

export function mapIssue(wire: WireIssue, mapping: IssueMapping): TrackerItem {
  const { metadata, project, texts } = mapping
  const { fields } = wire
  const { custom } = metadata
  const description = texts.toMarkdown(fields.description)
  const iterationPath = readSprint(custom.sprint ? fields[custom.sprint] : null)
  const storyPoints = readPoints(fields, custom.points, fields.project?.simplified ?? false)
  const assignedTo = mapPerson(fields.assignee)
  const priority = fields.priority ? findPriority(fields.priority, metadata) : null
  const relations = listRelations(wire, mapping)
  const flags = custom.flagged ? fields[custom.flagged] : null
  const named = (id: string, value: unknown) => (value === '' || value === null ? {} : { [id]: value })
  return {
    ...mapShape(wire, mapping),
    id: Number(wire.id),
    key: wire.key,
    type: fields.issuetype.name,
    level: findLevel(fields.issuetype),
    title: fields.summary ?? '',
    state: fields.status.name,
    stateCategory: findItemCategory(fields),
    assignedTo,
    // An issue below one of the project may be in another project.
    areaPath: wire.key.slice(0, wire.key.lastIndexOf('-')),
    iterationPath,
    tags: fields.labels,
    storyPoints,
    priority,
    ...relations,
    blockedField: Array.isArray(flags) && flags.length > 0,
    description: description.trim() === '' ? null : { format: 'markdown', text: description },
    acceptanceCriteria: null,
    markdownFields: [fieldNames.description],
    createdAt: toInstantOrNull(fields.created),
    changedAt: toInstant(fields.updated),
    attachments: fields.attachment.map(({ filename, size }) => ({ name: filename, size: size ?? null })),
    url: `${project.site.base}/browse/${wire.key}`,
    fields: {
      ...Object.assign(
        {},
        ...metadata.further.map((one) => named(one.id, readFurtherValue(one, fields[one.id], texts))),
      ),
      [fieldNames.title]: fields.summary ?? '',
      [fieldNames.type]: fields.issuetype.name,
      [fieldNames.state]: fields.status.name,
      ...named(fieldNames.assignee, assignedTo),
      ...named(fieldNames.labels, fields.labels.join('; ')),
      ...named(fieldNames.priority, fields.priority?.name ?? null),
      ...named(fieldNames.sprint, iterationPath),
      ...named(fieldNames.points, storyPoints),
      ...named(fieldNames.description, description),
      ...named('resolution', fields.resolution?.name ?? null),
      ...Object.assign({}, ...[...DATES, 'updated' as const].map((name) => named(name, toInstantOrNull(fields[name])))),
    },
  }
}

/**
 * Jira counts no revisions, so the millisecond of the last update is the revision. The digest covers the links, because a change of a link may
 * be no update of the issue at its other end.
 */
export function mapShape(wire: WireIssue, mapping: IssueMapping): ItemShape {
  return createShape(toRevision(wire.fields.updated), [listRelations(wire, mapping)])
}

/** The revision of an issue that was last updated at a time. */
export function toRevision(updated: string): number {
  return Date.parse(toInstant(updated))
}

type Relations = Pick<TrackerItem, 'parentId' | 'predecessorIds' | 'successorIds' | 'relatedIds'>

function listRelations({ fields }: WireIssue, { metadata, epics }: IssueMapping): Relations {
  const { epicLink } = metadata.custom
  const epic = epicLink && typeof fields[epicLink] === 'string' ? (epics.get(fields[epicLink]) ?? null) : null
  const found: Record<'predecessor' | 'successor' | 'related', number[]> = {
    predecessor: [],
    successor: [],
    related: [],
  }
  for (const link of fields.issuelinks) {
    const id = Number((link.inwardIssue ?? link.outwardIssue)?.id)
    const kind = findLinkKind(link)
    if (kind !== null && Number.isSafeInteger(id)) found[kind].push(id)
  }
  const sort = (ids: number[]) => [...new Set(ids)].sort((a, b) => a - b)
  return {
    parentId: fields.parent ? Number(fields.parent.id) : epic,
    predecessorIds: sort(found.predecessor),
    successorIds: sort(found.successor),
    relatedIds: sort(found.related),
  }
}

const hasInwardName = (pattern: RegExp) => (type: { inward: string }) => pattern.test(type.inward.trim())

export const isBlockedBy = hasInwardName(/^is blocked by$/i)
export const isRelatesTo = hasInwardName(/^relates to$/i)

/** What the issue at the other end is to this one; null for a type of link that the port does not have. */
export function findLinkKind({ type, inwardIssue }: WireLink): 'predecessor' | 'successor' | 'related' | null {
  if (isBlockedBy(type)) return inwardIssue ? 'predecessor' : 'successor'
  return isRelatesTo(type) ? 'related' : null
}

/** A closed issue whose resolution says that it was not done does not count as completed. */
function findItemCategory({ status, resolution }: WireIssue['fields']): StateCategory | null {
  const category = findCategory(status.statusCategory?.key)
  return category === 'Completed' && REMOVED.test(resolution?.name ?? '') ? 'Removed' : category
}

export function mapPerson(user: z.output<typeof WireUser> | null | undefined): Person | null {
  if (!user) return null
  const uniqueName = user.emailAddress ?? user.name ?? user.accountId ?? null
  return { displayName: user.displayName ?? uniqueName ?? '', uniqueName }
}

/** The position among the priorities of the site, from 1. */
function findPriority({ id, name }: { id?: string; name: string }, { priorities }: SiteFields): number | null {
  const at = priorities.findIndex((one) => (id === undefined ? one.name === name : one.id === id))
  return at < 0 ? null : at + 1
}

/** The name of the active sprint, or else of the last one. Servers return the text of an object: `…[id=1,state=ACTIVE,name=…,startDate=…]`. */
function readSprint(value: unknown): string {
  const sprints = (Array.isArray(value) ? value : []).flatMap((one) => {
    if (typeof one === 'object' && one !== null && typeof one.name === 'string')
      return { name: one.name as string, isActive: /active/i.test(String(one.state)) }
    const [head = '', ...rest] = String(one).split(/[[,]name=/)
    // A name may have commas, and the start follows it.
    const [name] = rest.join(',name=').split(/,startDate=|\]$/)
    return name ? { name, isActive: /[[,]state=ACTIVE/i.test(head) } : []
  })
  return (sprints.find(({ isActive }) => isActive) ?? sprints.at(-1))?.name ?? ''
}
