import type { FieldDefinition } from '../process/fields'
import { getFirstRevision, getLastRevision, HISTORY, type Item } from '../state/item'
import { formatPerson } from '../state/people'
import type { FieldValue, Person } from '../state/state'
import type { TrackerModel } from '../state/tracker-model'
import { type AddressedModel, insertAddress } from './urls'

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
  'System.CommentCount': (item) => item.revisions.filter((save) => save.set[HISTORY]).length,
  'System.AreaId': (item, model) => model.areas.find(String(item.fields['System.AreaPath']))?.node.id ?? null,
  'System.NodeName': (item) => String(item.fields['System.AreaPath']).split('\\').at(-1)!,
  'System.IterationId': (item, model) =>
    model.iterations.find(String(item.fields['System.IterationPath']))?.node.id ?? null,
}

/** What the item has in the field, kept or derived; null where it has nothing. */
export function readFieldValue(item: Item, referenceName: string, model: TrackerModel): FieldValue | null {
  const derive = DERIVED_FIELDS[referenceName]
  return derive ? derive(item, model) : (item.fields[referenceName] ?? null)
}

/** Fields that an answer leaves out unless it is asked for them, or for everything. */
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

/** Reference names of the fields that an answer about the item carries. */
export function listVisibleFields(item: Item, everything: boolean): string[] {
  const always = Object.keys(DERIVED_FIELDS).filter((name) => everything || !FIELDS_ON_REQUEST.has(name))
  return [...always.filter((name) => name !== 'System.IsDeleted' || item.isDeleted), ...Object.keys(item.fields)]
}

/** A kept value as it goes over the wire: people as objects, instants in the tracker's spelling, addresses of this run. */
export function toWireValue(field: FieldDefinition, value: FieldValue, scene: AddressedModel): unknown {
  if (typeof value !== 'string') return value
  if (field.isIdentity) {
    const person = scene.model.people.find(value)
    return person ? toIdentity(person, scene.base) : value
  }
  if (field.type === 'dateTime') return toWireInstant(value)
  return field.type === 'html' || field.type === 'history' ? insertAddress(value, scene) : value
}

/** As `wireValue`, but a person is one string: how the delta and the search write it. */
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

/** The tracker cuts the zeros off the fraction of a second, and the fraction itself where nothing is left. */
export function toWireInstant(iso: string): string {
  return iso.replace(/(?:\.|(?<![.0]))0+Z$/, 'Z')
}
