import type { Worklog, Worklogs } from '../../tracker'
import { type ChangeResult, sendOnceAs } from '../change-result'
import type { RequestLimits } from '../requests/rate-limiter'
import { isSameText } from '../update-after-reading'

export type NewWorklog = Parameters<Worklogs['add']>[0]

/** How an adapter reads and adds the time that people spent. */
export interface WorklogSource {
  limits: RequestLimits
  /** The last entries that were made, at least `limit`, in any order. */
  read(itemId: number, limit: number, signal: AbortSignal): Promise<{ total: number; worklogs: OwnedWorklog[] }>
  /** `text` of the result is the one of the entry as it will be read. */
  prepare(entry: NewWorklog, signal: AbortSignal): Promise<{ text: string; send(): Promise<ChangeResult<Worklog>> }>
}

/** `isMine` says whether the account of the token made the entry. */
export type OwnedWorklog = Worklog & { isMine: boolean }

/** Entries among which one is looked for whose response was lost. */
const MAX_SEARCHED = 5000

export function createWorklogs({ limits, read, prepare }: WorklogSource): Worklogs {
  return {
    async list(itemId, { limit, signal }) {
      const { total, worklogs } = await read(itemId, limit, signal)
      const newest = worklogs.map(({ isMine: _, ...entry }): Worklog => entry).sort(compareNewest)
      return { total, worklogs: newest.slice(0, limit) }
    },
    /** After a lost response, the entry is a new one of the same account. Another person may have recorded the same meanwhile. */
    async add(entry, signal) {
      const known = new Set((await read(entry.itemId, MAX_SEARCHED, signal)).worklogs.map(({ id }) => id))
      const { text, send } = await prepare(entry, signal)
      const look = async (verification: AbortSignal) => {
        const { worklogs } = await read(entry.itemId, MAX_SEARCHED, verification)
        const isNew = ({ id, isMine }: OwnedWorklog) => isMine && !known.has(id)
        return worklogs.find((one) => isNew(one) && isSameEntry(one, { ...entry, text })) ?? null
      }
      return sendOnceAs<Worklog, { status: 'added'; worklog: Worklog }>(
        send(),
        look,
        ({ id, author, startedAt, seconds, text }) => {
          return { status: 'added', worklog: { id, author, startedAt, seconds, text } }
        },
        { signal, limits },
      )
    },
  }
}

function compareNewest(a: Worklog, b: Worklog): number {
  return b.startedAt.localeCompare(a.startedAt) || (Number(b.id) || 0) - (Number(a.id) || 0)
}

/** Not every tracker stores milliseconds. */
function isSameEntry(one: Worklog, other: Omit<Worklog, 'id' | 'author'>): boolean {
  const [first, second] = [one, other].map(({ startedAt }) => Math.floor(Date.parse(startedAt) / 1000))
  return first === second && one.seconds === other.seconds && isSameText(one.text, other.text)
}
