import { getFirstRevision, type Item } from '../state/item'
import type { TrackerModel } from '../state/tracker-model'

/** Replaces the sandbox's address in stored texts, because the address can change with every run. */
const ADDRESS_PLACEHOLDER = '{tracker}'

/** A model and its addresses. */
export interface AddressedModel {
  model: TrackerModel
  /** For clients: `http://127.0.0.1:PORT/organization`. */
  base: string
  /** For browsers and for links in texts. It can stay the same across runs. */
  web: string
}

export function insertAddress(text: string, { web }: AddressedModel): string {
  return text.includes(ADDRESS_PLACEHOLDER) ? text.replaceAll(ADDRESS_PLACEHOLDER, web) : text
}

/** Replaces the sandbox's address before a text is stored. */
export function removeAddress(text: string, { base, web }: AddressedModel): string {
  return text.replaceAll(base, ADDRESS_PLACEHOLDER).replaceAll(web, ADDRESS_PLACEHOLDER)
}

export function buildItemUrl(base: string, id: number): string {
  return `${base}/_apis/wit/workItems/${id}`
}

export function buildPageUrl(base: string, project: string, id: number): string {
  return `${base}/${encodeURIComponent(project)}/_workitems/edit/${id}`
}

export function buildFieldUrl(base: string, referenceName: string): string {
  return `${base}/_apis/wit/fields/${referenceName}`
}

export function buildTypeUrl(base: string, projectId: string, type: string): string {
  return `${base}/${projectId}/_apis/wit/workItemTypes/${encodeURIComponent(type)}`
}

/** The `_links` of an item. */
export function buildItemLinks({ model, base, web }: AddressedModel, item: Item): Record<string, unknown> {
  const { project } = model
  const self = buildItemUrl(base, item.id)
  const type = String(getFirstRevision(item).set['System.WorkItemType'])
  return {
    self: { href: self },
    workItemUpdates: { href: `${self}/updates` },
    workItemRevisions: { href: `${self}/revisions` },
    workItemComments: { href: `${self}/comments` },
    html: { href: buildPageUrl(web, project.name, item.id) },
    workItemType: { href: buildTypeUrl(base, project.id, type) },
    fields: { href: `${base}/_apis/wit/fields` },
  }
}
