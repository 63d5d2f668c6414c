import { getAdapter } from '../adapters'
import type { ChangeOutcome, ItemChange } from '../item-changes'
import type { Tracker } from '../tracker'

/** The same tracker, which rejects changes of links that it cannot have without a request. */
export function refuseUnsupportedLinks(tracker: Tracker): Tracker {
  const { linkKinds } = tracker.capabilities
  const findUnsupported = ({ links }: ItemChange) =>
    [...(links?.add ?? []), ...(links?.remove ?? [])].find(({ kind }) => !linkKinds.includes(kind))
  const updateItems = tracker.updateItems.bind(tracker)
  return Object.assign(tracker, {
    async updateItems(...[changes, options]: Parameters<Tracker['updateItems']>): Promise<ChangeOutcome[]> {
      const supported = changes.filter((change) => !findUnsupported(change))
      if (supported.length === changes.length) return updateItems(changes, options)
      const sent = supported.length === 0 ? [] : await updateItems(supported, options)
      const outcomes = new Map(supported.map((change, index) => [change, sent[index]!]))
      return changes.map((change) => {
        const message = `${getAdapter(tracker.kind).product} has no links of the kind ${findUnsupported(change)?.kind}.`
        return outcomes.get(change) ?? { id: change.id, status: 'rejected', message }
      })
    },
  })
}
