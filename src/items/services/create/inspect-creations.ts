import { hint, suggest } from '../../../kernel'
import { type Database, type Finding, warning } from '../../../storage'
import { findItemNames, listMarkedItems } from '../../queries'

/** Names the created items whose markers could not be removed. */
export async function inspectCreations(db: Database | null): Promise<Finding[]> {
  if (db === null) return []
  const names = await db.read(async (tx) => {
    const ids = (await listMarkedItems(tx)).map(({ itemId }) => itemId)
    const nameOf = await findItemNames(tx, ids)
    return ids.map(nameOf)
  })
  if (names.length === 0) return []
  const what = names.length === 1 ? 'This work item still has' : 'These work items still have'
  return [
    warning(
      'creations',
      `${what} the marker of ${names.length === 1 ? 'its' : 'their'} creation, because the tracker did not remove it: ${names.join(', ')}.`,
      hint`Try again: ${suggest('items.sync')}`,
    ),
  ]
}
