import type { FieldDefinition } from '../process/fields'
import { firstRevision, HISTORY, type Item, lastRevision } from '../state/item'
import { combined } from '../state/people'
import type { FieldValue, Person } from '../state/state'
import type { World } from '../state/world'
import { type Scene, withAddress } from './addresses'

const derived: Record<string, (item: Item, world: World) => FieldValue | null> = {
  'System.Id': (item) => item.id,
  'System.Rev': (item) => item.revisions.length,
  'System.Watermark': (item) => lastRevision(item).watermark,
  'System.TeamProject': (_, world) => world.project.name,
  'System.CreatedDate': (item) => firstRevision(item).at,
  'System.CreatedBy': (item) => firstRevision(item).by,
  'System.ChangedDate': (item) => lastRevision(item).at,
  'System.ChangedBy': (item) => lastRevision(item).by,
  'System.AuthorizedDate': (item) => lastRevision(item).at,
  'System.RevisedDate': () => '9999-01-01T00:00:00.000Z',
  'System.IsDeleted': (item) => item.deleted,
  'System.Parent': (item, world) => world.links.parentOf(item.id),
  'System.CommentCount': (item) => item.revisions.filter((save) => save.set[HISTORY]).length,
  'System.AreaId': (item, world) => world.areas.find(String(item.fields['System.AreaPath']))?.node.id ?? null,
  'System.NodeName': (item) => String(item.fields['System.AreaPath']).split('\\').at(-1)!,
  'System.IterationId': (item, world) =>
    world.iterations.find(String(item.fields['System.IterationPath']))?.node.id ?? null,
}

/** What the item has in the field, kept or derived; null where it has nothing. */
export function fieldValue(item: Item, referenceName: string, world: World): FieldValue | null {
  const derive = derived[referenceName]
  return derive ? derive(item, world) : (item.fields[referenceName] ?? null)
}

/** Fields that an answer leaves out unless it is asked for them, or for everything. */
const onlyOnRequest = new Set([
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
export function shownFields(item: Item, everything: boolean): string[] {
  const always = Object.keys(derived).filter((name) => everything || !onlyOnRequest.has(name))
  return [...always.filter((name) => name !== 'System.IsDeleted' || item.deleted), ...Object.keys(item.fields)]
}

/** A kept value as it goes over the wire: people as objects, instants in the tracker's spelling, addresses of this run. */
export function wireValue(field: FieldDefinition, value: FieldValue, scene: Scene): unknown {
  if (typeof value !== 'string') return value
  if (field.isIdentity) {
    const person = scene.world.people.find(value)
    return person ? identity(person, scene.base) : value
  }
  if (field.type === 'dateTime') return wireInstant(value)
  return field.type === 'html' || field.type === 'history' ? withAddress(value, scene) : value
}

/** As `wireValue`, but a person is one string: how the delta and the search write it. */
export function flatValue(field: FieldDefinition, value: FieldValue, scene: Scene): unknown {
  if (!field.isIdentity || typeof value !== 'string') return wireValue(field, value, scene)
  const person = scene.world.people.find(value)
  return person ? combined(person) : value
}

export function identity(person: Person, base: string): Record<string, unknown> {
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
export function wireInstant(iso: string): string {
  return iso.replace(/(?:\.|(?<![.0]))0+Z$/, 'Z')
}
