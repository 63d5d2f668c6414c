import { type Item, withRevision } from '../state/item'
import type { Change } from '../state/world'
import type { ChangeContext } from './item-change'

/** Puts the item into the recycle bin: a last revision that says so, and no link leads to it any more. */
export function removeItem(item: Item, { world, now }: ChangeContext): Change {
  const by = world.people.signedIn.uniqueName
  const at = new Date(now).toISOString()
  let watermark = world.nextWatermark
  const removed = withRevision(item, { watermark: watermark++, at, by, set: {}, deleted: true })
  const links = world.links.of(item.id).map(({ change: { type, source, target } }) => ({
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
