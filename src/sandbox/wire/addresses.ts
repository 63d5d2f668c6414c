import { firstRevision, type Item } from '../state/item'
import type { World } from '../state/world'

/** Stands in kept texts for the sandbox's own address, which may differ from run to run. */
const SELF = '{tracker}'

/** A world, and under which addresses it is seen. */
export interface Scene {
  world: World
  /** What tools call: `http://127.0.0.1:PORT/organization`. */
  base: string
  /** What people open, and what texts name; it may outlive this run. */
  web: string
}

/** Puts the sandbox's address into a kept text. */
export function withAddress(text: string, { web }: Scene): string {
  return text.includes(SELF) ? text.replaceAll(SELF, web) : text
}

/** Takes the sandbox's address out of a text that is to be kept. */
export function withoutAddress(text: string, { base, web }: Scene): string {
  return text.replaceAll(base, SELF).replaceAll(web, SELF)
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
export function itemLinks({ world, base, web }: Scene, item: Item): Record<string, unknown> {
  const { project } = world
  const self = itemUrl(base, item.id)
  const type = String(firstRevision(item).set['System.WorkItemType'])
  return {
    self: { href: self },
    workItemUpdates: { href: `${self}/updates` },
    workItemRevisions: { href: `${self}/revisions` },
    workItemComments: { href: `${self}/comments` },
    html: { href: pageUrl(web, project.name, item.id) },
    workItemType: { href: typeUrl(base, project.id, type) },
    fields: { href: `${base}/_apis/wit/fields` },
  }
}
