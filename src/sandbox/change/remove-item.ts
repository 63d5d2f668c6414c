import { appendRevision, type Item } from '../state/item'
import type { ItemChange } from '../state/tracker-model'
import type { ChangeContext } from './change-item'

/** Puts the item into the recycle bin: a last revision that says so, and no link leads to it any more. */
export function removeItem(item: Item, { model, now }: ChangeContext): ItemChange {
  const by = model.people.signedIn.uniqueName
  const at = new Date(now).toISOString()
  let watermark = model.nextWatermark
  const removed = appendRevision(item, { watermark: watermark++, at, by, set: {}, deleted: true })
  const links = model.links.listEnds(item.id).map(({ change: { type, source, target } }) => ({
    watermark: watermark++,
    at,
    by,
    type,
    source,
    target,
    active: false,
  }))
  return { item: removed, links }
}
