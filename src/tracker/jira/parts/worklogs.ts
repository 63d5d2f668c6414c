import * as z from 'zod'
import type { AtlassianTexts } from '../../../rich-text/atlassian-texts'
import { parseResult } from '../../services/change-result'
import { toInstant, WireInstant } from '../../services/instants'
import { createWorklogs } from '../../services/parts/worklogs'
import { renameMissing } from '../../services/requests/tracker-error'
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

export function createTimeTracking(client: JiraClient): Worklogs {
  const { list, add } = createWorklogs({
    limits: client.limits,
    /** Jira sorts them by the time when they were made. */
    async read(itemId, limit, signal) {
      const isCloud = (await client.deployment(signal)) === 'cloud'
      const readPage = (startAt: number) => {
        const query: Record<string, number> = isCloud ? { startAt, maxResults: LARGEST_PAGE } : {}
        const reading = client.get(`/issue/${itemId}/worklog`, query, WireWorklogs, signal)
        return renameMissing(reading, describeMissing(itemId))
      }
      const [texts, account] = [await client.loadTexts(signal), await client.whoAmI(signal)]
      const first = await readPage(0)
      const { total } = first
      const isWhole = total <= first.worklogs.length
      const { worklogs } = isWhole ? first : await readPage(Math.max(0, total - Math.min(limit, LARGEST_PAGE)))
      const isMine = ({ author }: WireWorklog) =>
        account !== null && [author?.accountId, author?.name].includes(account)
      return { total, worklogs: worklogs.map((wire) => ({ ...mapWorklog(wire, texts), isMine: isMine(wire) })) }
    },
    async prepare({ itemId, startedAt, seconds, text }, signal) {
      const texts = await client.loadTexts(signal)
      const comment = texts.fromMarkdown(text)
      const body = {
        started: toInstant(startedAt).replace('Z', '+0000'),
        timeSpentSeconds: seconds,
        ...(text.trim() === '' ? {} : { comment }),
      }
      return {
        text: texts.toMarkdown(comment),
        async send() {
          const sent = await client.change({ method: 'POST', path: `/issue/${itemId}/worklog`, body }, signal)
          return parseResult(sent, (json) => mapWorklog(WireWorklog.parse(json), texts))
        },
      }
    },
  })
  return {
    list,
    add: async (entry, signal) =>
      entry.seconds < MIN_SECONDS
        ? { status: 'rejected', message: 'Jira counts minutes: log at least one.' }
        : add(entry, signal),
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
