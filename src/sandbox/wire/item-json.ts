import { type FieldDefinition, findField } from '../process/fields'
import { getFirstRevision, getLastRevision, HISTORY, type Item } from '../state/item'
import { getDirection } from '../state/links'
import type { FieldValue, Person } from '../state/state'
import { formatPerson, type TrackerModel } from '../state/tracker-model'
import { type AddressedModel, buildItemLinks, buildItemUrl, insertAddress } from './urls'

export type Expand = 'none' | 'relations' | 'fields' | 'links' | 'all'

export interface ItemView extends AddressedModel {
  expand: Expand
  /** Only these fields, by reference name; excludes `expand`. */
  only: readonly string[] | null
}

/** Empty fields are absent instead of null. */
export function toItemJson(item: Item, view: ItemView): Record<string, unknown> {
  const { base, expand, only } = view
  const names = only ?? listVisibleFields(item, expand === 'all' || expand === 'fields')
  const answer: Record<string, unknown> = {
    id: item.id,
    rev: item.revisions.length,
    fields: toFieldsJson(item, names, view),
  }
  const marked = Object.entries(item.formats).filter(
    ([name]) => names.includes(name) && item.fields[name] !== undefined,
  )
  if (marked.length > 0) answer.multilineFieldsFormat = Object.fromEntries(marked)
  if (expand === 'all' || expand === 'relations') {
    const relations = toRelationsJson(item, view)
    if (relations.length > 0) answer.relations = relations
  }
  if (!only) answer._links = buildItemLinks(view, item)
  answer.url = buildItemUrl(base, item.id)
  return answer
}

function toFieldsJson(item: Item, names: readonly string[], scene: AddressedModel): Record<string, unknown> {
  const fields: Record<string, unknown> = {}
  for (const name of names) {
    const value = readFieldValue(item, name, scene.model)
    const field = findField(name)
    if (value !== null && field) fields[name] = toWireValue(field, value, scene)
  }
  return fields
}

/** Links to items come first, then hyperlinks and attachments; a patch refers to them by their index in this list. */
function toRelationsJson(item: Item, scene: AddressedModel): Record<string, unknown>[] {
  const links = scene.model.links
    .listEnds(item.id)
    .map(({ rel, otherId, change }) => toLinkJson(rel, otherId, scene.base, change.comment))
  const resources = item.resources.map(({ rel, url, attributes }) => ({
    rel,
    url: insertAddress(url, scene),
    attributes,
  }))
  return [...links, ...resources]
}

/** A relation to another item. */
export function toLinkJson(rel: string, otherId: number, base: string, comment?: string): Record<string, unknown> {
  const { name } = getDirection(rel)
  return {
    rel,
    url: buildItemUrl(base, otherId),
    attributes: { isLocked: false, ...(comment ? { comment } : {}), name },
  }
}

const DERIVED_FIELDS: Record<string, (item: Item, model: TrackerModel) => FieldValue | null> = {
  'System.Id': (item) => item.id,
  'System.Rev': (item) => item.revisions.length,
  'System.Watermark': (item) => getLastRevision(item).watermark,
  'System.TeamProject': (_, model) => model.project.name,
  'System.CreatedDate': (item) => getFirstRevision(item).at,
  'System.CreatedBy': (item) => getFirstRevision(item).by,
  'System.ChangedDate': (item) => getLastRevision(item).at,
  'System.ChangedBy': (item) => getLastRevision(item).by,
  'System.AuthorizedDate': (item) => getLastRevision(item).at,
  'System.RevisedDate': () => '9999-01-01T00:00:00.000Z',
  'System.IsDeleted': (item) => item.isDeleted,
  'System.Parent': (item, model) => model.links.findParent(item.id),
  'System.CommentCount': countComments,
  'System.AreaId': (item, model) => model.areas.find(String(item.fields['System.AreaPath']))?.node.id ?? null,
  'System.NodeName': (item) => String(item.fields['System.AreaPath']).split('\\').at(-1)!,
  'System.IterationId': (item, model) =>
    model.iterations.find(String(item.fields['System.IterationPath']))?.node.id ?? null,
}

function countComments({ revisions }: Item): number {
  const deleted = new Set(revisions.flatMap(({ comment }) => (comment?.text === null ? [comment.id] : [])))
  return revisions.filter(({ set }, at) => set[HISTORY] && !deleted.has(at + 1)).length
}

/** The stored or derived value of a field; null if it is empty. */
export function readFieldValue(item: Item, referenceName: string, model: TrackerModel): FieldValue | null {
  const derive = DERIVED_FIELDS[referenceName]
  return derive ? derive(item, model) : (item.fields[referenceName] ?? null)
}

/** Fields that are left out unless they or all fields are requested. */
const FIELDS_ON_REQUEST = new Set([
  'System.Id',
  'System.Rev',
  'System.Watermark',
  'System.AuthorizedDate',
  'System.RevisedDate',
  'System.AreaId',
  'System.NodeName',
  'System.IterationId',
])

/** Reference names of the fields in an answer. */
export function listVisibleFields(item: Item, everything: boolean): string[] {
  const always = Object.keys(DERIVED_FIELDS).filter((name) => everything || !FIELDS_ON_REQUEST.has(name))
  return [...always.filter((name) => name !== 'System.IsDeleted' || item.isDeleted), ...Object.keys(item.fields)]
}

/** Converts a stored value: people become objects, instants use the tracker's format, texts get the current address. */
export function toWireValue(field: FieldDefinition, value: FieldValue, scene: AddressedModel): unknown {
  if (typeof value !== 'string') return value
  if (field.isIdentity) {
    const person = scene.model.people.find(value)
    return person ? toIdentity(person, scene.base) : value
  }
  if (field.type === 'dateTime') return toWireInstant(value)
  return field.type === 'html' || field.type === 'history' ? insertAddress(value, scene) : value
}

/** As `toWireValue`, but a person is one string, as in the change feed and in search results. */
export function toFlatValue(field: FieldDefinition, value: FieldValue, scene: AddressedModel): unknown {
  if (!field.isIdentity || typeof value !== 'string') return toWireValue(field, value, scene)
  const person = scene.model.people.find(value)
  return person ? formatPerson(person) : value
}

export function toIdentity(person: Person, base: string): Record<string, unknown> {
  const descriptor = `sbx.${Buffer.from(person.id).toString('base64url')}`
  const avatar = `${base}/_apis/GraphProfile/MemberAvatars/${descriptor}`
  return {
    displayName: person.displayName,
    url: `${base}/_apis/Identities/${person.id}`,
    _links: { avatar: { href: avatar } },
    id: person.id,
    uniqueName: person.uniqueName,
    imageUrl: avatar,
    descriptor,
  }
}

/** The tracker omits trailing zeros of the fraction of a second, and an empty fraction. */
export function toWireInstant(iso: string): string {
  return iso.replace(/(?:\.|(?<![.0]))0+Z$/, 'Z')
}
