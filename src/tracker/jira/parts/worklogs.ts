import * as z from 'zod'
import type { AtlassianTexts } from '../../../rich-text/atlassian-texts'
import { parseResult, sendOnce, toOutcome } from '../../services/change-result'
import { toInstant, WireInstant } from '../../services/instants'
import { renameMissing } from '../../services/requests/tracker-error'
import { isSameText } from '../../services/update-after-reading'
import type { Worklog, Worklogs } from '../../tracker'
import { describeMissing } from '../issue-reader'
import type { JiraClient } from '../jira-client'
import { mapPerson, WireUser } from '../map-issue'

const WireWorklog = z.object({
  id: z.string().regex(/^\d{1,15}$/),
  author: WireUser.nullish(),
  comment: z.unknown().optional(),
  started: WireInstant,
  timeSpentSeconds: z.int(),
})
type WireWorklog = z.output<typeof WireWorklog>
const WireWorklogs = z.object({ total: z.int(), worklogs: z.array(WireWorklog) })

/** Cloud returns at most so many at once. Data Center returns all of them. */
const LARGEST_PAGE = 5000
const MIN_SECONDS = 60

export function createWorklogs(client: JiraClient): Worklogs {
  /** The last entries that were made, in the order in which they were. */
  async function readLast(itemId: number, limit: number, signal: AbortSignal) {
    const read = (startAt: number) => {
      const query = { startAt, maxResults: LARGEST_PAGE }
      const reading = client.get(`/issue/${itemId}/worklog`, query, WireWorklogs, signal)
      return renameMissing(reading, describeMissing(itemId))
    }
    const first = await read(0)
    const { total } = first
    return total <= first.worklogs.length
      ? first
      : { total, worklogs: (await read(Math.max(0, total - limit))).worklogs }
  }

  return {
    async list(itemId, { limit, signal }) {
      const texts = await client.loadTexts(signal)
      const { total, worklogs } = await readLast(itemId, limit, signal)
      const newest = worklogs.map((wire) => mapWorklog(wire, texts)).sort((a, b) => compareNewest(a, b))
      return { total, worklogs: newest.slice(0, limit) }
    },
    async add({ itemId, startedAt, seconds, text }, signal) {
      if (seconds < MIN_SECONDS) return { status: 'rejected', message: 'Jira counts minutes: log at least one.' }
      const texts = await client.loadTexts(signal)
      const account = await client.whoAmI(signal)
      const known = new Set((await readLast(itemId, LARGEST_PAGE, signal)).worklogs.map(({ id }) => id))
      const comment = texts.fromMarkdown(text)
      const isMine = ({ id, author }: WireWorklog) =>
        !known.has(id) && account !== null && [author?.accountId, author?.name].includes(account)
      const find = async (verification: AbortSignal) => {
        const { worklogs } = await readLast(itemId, LARGEST_PAGE, verification)
        const entries = worklogs.filter(isMine).map((wire) => mapWorklog(wire, texts))
        return entries.find((one) => isSameEntry(one, { startedAt, seconds, text: texts.toMarkdown(comment) })) ?? null
      }
      const body = {
        started: toInstant(startedAt).replace('Z', '+0000'),
        timeSpentSeconds: seconds,
        ...(text.trim() === '' ? {} : { comment }),
      }
      const sending = client
        .change({ method: 'POST', path: `/issue/${itemId}/worklog`, body }, signal)
        .then((sent) => parseResult(sent, (json) => mapWorklog(WireWorklog.parse(json), texts)))
      const sent = await sendOnce(sending, find, { signal, limits: client.limits })
      return sent.kind === 'done' ? { status: 'added', worklog: sent.data } : toOutcome(sent)
    },
  }
}

function mapWorklog({ id, author, comment, started, timeSpentSeconds }: WireWorklog, texts: AtlassianTexts): Worklog {
  return {
    id,
    author: mapPerson(author),
    startedAt: toInstant(started),
    seconds: timeSpentSeconds,
    text: texts.toMarkdown(comment),
  }
}

function compareNewest(a: Worklog, b: Worklog): number {
  return b.startedAt.localeCompare(a.startedAt) || Number(b.id) - Number(a.id)
}

function isSameEntry(one: Worklog, other: Pick<Worklog, 'startedAt' | 'seconds' | 'text'>): boolean {
  const isSameTime = Date.parse(one.startedAt) === Date.parse(other.startedAt)
  return isSameTime && one.seconds === other.seconds && isSameText(one.text, other.text)
}
