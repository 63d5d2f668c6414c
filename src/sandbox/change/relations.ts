import type { Item } from '../state/item'
import { findRelationName, getDirection, type LinkEnd } from '../state/links'
import type { LinkChange, ResourceLink } from '../state/state'
import type { TrackerModel } from '../state/tracker-model'
import { createPatchError, WireError } from '../wire/response'
import { type AddressedModel, removeAddress } from '../wire/urls'
import type { NewRelation, PatchStep } from './parse-patch'

type NewLink = Omit<LinkChange, 'watermark'>

interface RelationChanges {
  links: NewLink[]
  /** All of them after the change, or null where none changed. */
  resources: ResourceLink[] | null
}

const resourceKinds = ['Hyperlink', 'AttachedFile', 'ArtifactLink']

/**
 * Applies the steps of a patch to the relations. An index refers to the list after the preceding steps. `item` can be new.
 * Throws a `WireError` for an invalid link.
 */
export function changeRelations(
  item: Item,
  steps: readonly PatchStep[],
  scene: AddressedModel,
  { at, by }: { at: string; by: string },
): RelationChanges {
  const ends = [...scene.model.links.listEnds(item.id)]
  const resources = [...item.resources]
  const links: NewLink[] = []
  let haveResourcesChanged = false

  for (const step of steps) {
    if (step.kind === 'add-relation') {
      const rel = findRelationName(step.relation.rel)
      if (rel) {
        const end = newLink(item.id, rel, step.relation, ends, scene.model)
        ends.push({ rel, otherId: end.otherId, change: { ...end.change, at, by, watermark: 0 } })
        links.push({ ...end.change, at, by })
      } else {
        resources.push(newResource(step.relation, resources, { at, scene }))
        haveResourcesChanged = true
      }
    } else if (step.kind === 'remove-relation') {
      const [removed] = ends.splice(step.at, 1)
      if (removed) {
        const { type, source, target } = removed.change
        links.push({ type, source, target, at, by, active: false })
      } else if (resources.splice(step.at - ends.length, 1).length === 1) haveResourcesChanged = true
      else throw createPatchError(`Index out of range for path /relations/${step.at}.`)
    }
  }
  return { links, resources: haveResourcesChanged ? resources : null }
}

function newLink(id: number, rel: string, relation: NewRelation, ends: readonly LinkEnd[], model: TrackerModel) {
  const otherId = Number(/\/workitems\/(\d+)\/?$/i.exec(relation.url)?.[1])
  if (!Number.isInteger(otherId)) throw createPatchError(`The url '${relation.url}' is not that of a work item.`)
  if (!model.item(otherId)) {
    throw new WireError(
      404,
      'WorkItemLinkEndUnauthorizedAccessException',
      `TF237090: Work item ${otherId} does not exist or you do not have permissions to access it.`,
    )
  }
  if (ends.some((end) => end.rel === rel && end.otherId === otherId)) {
    throw new WireError(400, 'WorkItemLinkAlreadyExistsException', 'Relation already exists.')
  }
  const { type, holderIsSource } = getDirection(rel)
  const [source, target] = holderIsSource ? [id, otherId] : [otherId, id]
  // The links of an item, with the steps of the patch so far.
  const listLinks = (itemId: number) => {
    const elsewhere = itemId === id ? [] : model.links.listEnds(itemId).filter((end) => end.otherId !== id)
    const own = itemId === id ? ends : ends.filter((end) => end.otherId === itemId)
    return [...elsewhere, ...own].flatMap(({ change }) => (change.type === type ? change : []))
  }
  if (type === 'System.LinkTypes.Hierarchy') checkParent(source, target, listLinks)
  if (id === otherId || (type !== 'System.LinkTypes.Related' && canReach(target, source, listLinks))) {
    throw createCircleError()
  }
  const { comment } = relation.attributes
  return {
    otherId,
    change: { type, source, target, active: true, ...(typeof comment === 'string' ? { comment } : {}) },
  }
}

/** The links of one type of an item. */
type ListLinks = (id: number) => readonly LinkChange[]

function checkParent(parent: number, child: number, listLinks: ListLinks): void {
  if (!listLinks(child).some(({ target }) => target === child)) return
  throw new WireError(
    400,
    'WorkItemLinkAddExtraParentException',
    `TF201036: You cannot add a Child link between work items ${parent} and ${child} because a work item can have only one Parent link.`,
  )
}

/** Whether links lead from one item to the other, over any number of items. */
function canReach(from: number, to: number, listLinks: ListLinks): boolean {
  const reached = new Set([from])
  for (const id of reached) for (const { source, target } of listLinks(id)) if (source === id) reached.add(target)
  return reached.has(to)
}

function createCircleError(): WireError {
  return new WireError(
    400,
    'WorkItemLinkCircularException',
    'TF201035: The link cannot be added because it would create a circular relationship.',
  )
}

function newResource(
  { rel, url, attributes }: NewRelation,
  existing: readonly ResourceLink[],
  { at, scene }: { at: string; scene: AddressedModel },
): ResourceLink {
  const kind = resourceKinds.find((one) => one.toLowerCase() === rel.toLowerCase())
  if (!kind) throw createPatchError(`Unrecognized relation type '${rel}'.`)
  if (existing.some((one) => one.rel === kind && one.url === url)) {
    throw new WireError(400, 'WorkItemResourceLinkException', 'Relation already exists.')
  }
  const stored = Object.entries(attributes).filter(
    (entry): entry is [string, string | number] => typeof entry[1] === 'string' || typeof entry[1] === 'number',
  )
  const attributesOfFile = kind === 'AttachedFile' ? describeFile(url, scene.model, at) : {}
  return {
    rel: kind,
    url: removeAddress(kind === 'AttachedFile' ? url.replace(/\?.*/s, '') : url, scene),
    attributes: { authorizedDate: at, ...attributesOfFile, ...Object.fromEntries(stored) },
  }
}

/** What the tracker adds to the relation of a file. The file must have been uploaded. */
function describeFile(url: string, model: TrackerModel, at: string): Record<string, string | number> {
  const id = /\/_apis\/wit\/attachments\/([\da-f-]{36})(?:$|[/?])/i.exec(url)?.[1]
  const file = id === undefined ? null : model.attachment(id)
  if (!file) {
    throw new WireError(
      400,
      'WorkItemResourceLinkException',
      `VS402809: The attachment '${url}' was not found. Upload it before it is attached to a work item.`,
    )
  }
  return { name: file.name, resourceSize: file.size, resourceCreatedDate: file.at, resourceModifiedDate: at }
}
