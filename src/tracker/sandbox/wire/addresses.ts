import { firstRevision, type Item } from '../state/item'

/** Stands in kept texts for the sandbox's own address, which differs from run to run. */
const SELF = '{tracker}'

/** Puts the address of this run into a text. */
export function withAddress(text: string, base: string): string {
  return text.includes(SELF) ? text.replaceAll(SELF, base) : text
}

/** Takes the address of this run out of a text that is to be kept. */
export function withoutAddress(text: string, base: string): string {
  return text.replaceAll(base, SELF)
}

export function itemUrl(base: string, id: number): string {
  return `${base}/_apis/wit/workItems/${id}`
}

export function pageUrl(base: string, project: string, id: number): string {
  return `${base}/${encodeURIComponent(project)}/_workitems/edit/${id}`
}

export function fieldUrl(base: string, referenceName: string): string {
  return `${base}/_apis/wit/fields/${referenceName}`
}

export function typeUrl(base: string, projectId: string, type: string): string {
  return `${base}/${projectId}/_apis/wit/workItemTypes/${encodeURIComponent(type)}`
}

/** The `_links` of an item. */
export function itemLinks(base: string, project: { id: string; name: string }, item: Item): Record<string, unknown> {
  const self = itemUrl(base, item.id)
  const type = String(firstRevision(item).set['System.WorkItemType'])
  return {
    self: { href: self },
    workItemUpdates: { href: `${self}/updates` },
    workItemRevisions: { href: `${self}/revisions` },
    workItemComments: { href: `${self}/comments` },
    html: { href: pageUrl(base, project.name, item.id) },
    workItemType: { href: typeUrl(base, project.id, type) },
    fields: { href: `${base}/_apis/wit/fields` },
  }
}
