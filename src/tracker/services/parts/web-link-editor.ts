import type { WebLink, WebLinkEditor, WebLinkReader } from '../../tracker'
import { type ChangeResult, sendOnceAs } from '../change-result'
import type { RequestLimits } from '../requests/rate-limiter'

/** How an adapter reads and changes the links of an item. */
interface WebLinkSource {
  limits: RequestLimits
  list(itemId: number, signal: AbortSignal): Promise<WebLink[]>
  /** Null if the response does not show the link. */
  add(link: Parameters<WebLinkEditor['add']>[0], signal: AbortSignal): Promise<ChangeResult<WebLink | null>>
  remove(link: Parameters<WebLinkEditor['remove']>[0], signal: AbortSignal): Promise<ChangeResult<unknown>>
}

/** Links by their addresses: an item has each address once. */
export function createWebLinks({ limits, list, add, remove }: WebLinkSource): WebLinkReader & WebLinkEditor {
  return {
    list,

    async add(link, signal) {
      const find = async (signal: AbortSignal) => (await list(link.itemId, signal)).find(({ url }) => url === link.url)
      const known = await find(signal)
      if (known) return { status: 'added', link: known }
      const look = async (verification: AbortSignal) => (await find(verification)) ?? null
      const outcome = await sendOnceAs(add(link, signal), look, (added) => ({ status: 'added' as const, added }), {
        signal,
        limits,
      })
      if (outcome.status !== 'added') return outcome
      const added = outcome.added ?? (await find(signal))
      const message = 'The tracker took the link, and does not list it.'
      return added ? { status: 'added', link: added } : { status: 'unknown', message }
    },

    async remove(link, signal) {
      const look = async (signal: AbortSignal) =>
        (await list(link.itemId, signal)).some(({ id }) => id === link.linkId) ? null : {}
      if ((await look(signal)) !== null) return { status: 'deleted' }
      const deleted = () => ({ status: 'deleted' as const })
      const outcome = await sendOnceAs<unknown, { status: 'deleted' }>(remove(link, signal), look, deleted, {
        signal,
        limits,
      })
      return outcome.status === 'rejected' && outcome.code === 'not_found' ? { status: 'deleted' } : outcome
    },
  }
}
