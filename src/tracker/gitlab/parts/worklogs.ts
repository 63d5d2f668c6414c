import * as z from 'zod'
import { equalsIgnoringCase } from '../../../kernel/text/text'
import { sendOnce, toOutcome } from '../../services/change-result'
import { toInstant, WireInstant } from '../../services/instants'
import { createPageShape, PAGE_INFO } from '../../services/requests/graphql-pages'
import { readPages } from '../../services/requests/pages'
import { TrackerError } from '../../services/requests/tracker-error'
import { isSameText } from '../../services/update-after-reading'
import type { Worklog, Worklogs } from '../../tracker-parts'
import { toWorkItemId } from '../address'
import { toPerson } from '../map-item'
import type { ProjectClient } from '../project-client'
import { sendChange } from '../send-steps'
import { WireUser } from '../wire-item'

const WireTimelog = z
  .object({
    id: z.string(),
    user: WireUser,
    spentAt: WireInstant.nullish(),
    timeSpent: z.int(),
    summary: z.string().nullish(),
  })
  .transform(({ id, user, spentAt, timeSpent, summary }): Worklog => {
    const startedAt = toInstant(spentAt ?? new Date(0).toISOString())
    return { id, author: toPerson(user), startedAt, seconds: timeSpent, text: summary ?? '' }
  })

const TIMELOG = 'id user { username name } spentAt timeSpent summary'
const TIMELOGS = `query($id: WorkItemID!, $after: String) { currentUser { username } workItem(id: $id) { widgets { ... on WorkItemWidgetTimeTracking {
  timelogs(first: 100, after: $after) { nodes { ${TIMELOG} } ${PAGE_INFO} } } } } }`
const WireTimelogs = z.object({
  currentUser: z.object({ username: z.string() }).nullish(),
  workItem: z
    .object({ widgets: z.array(z.object({ timelogs: createPageShape(WireTimelog).nullish() })).nullish() })
    .nullable(),
})
const WireAdded = z.object({ timelog: WireTimelog }).transform(({ timelog }) => timelog)

export function createWorklogs(graphql: ProjectClient): Worklogs {
  const readAll = async (itemId: number, signal: AbortSignal): Promise<{ user: string | null; all: Worklog[] }> => {
    const all: Worklog[] = []
    let user: string | null = null
    const pages = readPages(async (after) => {
      const variables = { id: toWorkItemId(itemId), after }
      const { workItem, currentUser } = await graphql.query(
        () => ({ query: TIMELOGS, variables }),
        WireTimelogs,
        signal,
      )
      user = currentUser?.username ?? null
      if (workItem === null) throw new TrackerError('not_found', graphql.describeMissing(itemId))
      return workItem.widgets?.find((widget) => widget.timelogs)?.timelogs ?? { entries: [], next: null }
    })
    for await (const page of pages) all.push(...page)
    return { user, all: all.sort((a, b) => (a.startedAt < b.startedAt ? 1 : -1)) }
  }
  return {
    async list(itemId, { limit, signal }) {
      const { all } = await readAll(itemId, signal)
      return { total: all.length, worklogs: all.slice(0, limit) }
    },
    async add({ itemId, startedAt, seconds, text }, signal) {
      const known = new Set((await readAll(itemId, signal)).all.map(({ id }) => id))
      const input = { issuableId: toWorkItemId(itemId), spentAt: startedAt, timeSpent: `${seconds}s`, summary: text }
      const step = { name: 'timelogCreate', input, select: () => `timelog { ${TIMELOG} }` }
      const find = async (verification: AbortSignal) => {
        const { user, all } = await readAll(itemId, verification)
        // Another person may have recorded the same meanwhile.
        const isMine = ({ author }: Worklog) => user !== null && equalsIgnoringCase(author?.uniqueName ?? '', user)
        return (
          all.find(
            (one) => !known.has(one.id) && isMine(one) && one.seconds === seconds && isSameText(one.text, text),
          ) ?? null
        )
      }
      const sent = await sendOnce(sendChange(step, WireAdded, graphql, signal), find, {
        signal,
        limits: graphql.limits,
      })
      return sent.kind === 'done' ? { status: 'added', worklog: sent.data } : toOutcome(sent)
    },
  }
}
