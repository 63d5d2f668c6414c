import * as z from 'zod'
import { toInstant, WireInstant } from '../../services/instants'
import { createWorklogs } from '../../services/parts/worklogs'
import { createPageShape, PAGE_INFO } from '../../services/requests/graphql-pages'
import { collect, readPages } from '../../services/requests/pages'
import type { Worklog } from '../../tracker-parts'
import { toWorkItemId } from '../address'
import { toPerson } from '../map-item'
import type { ProjectClient } from '../project-client'
import { sendChange } from '../send-steps'
import { WireUser } from '../wire-item'

const WireTimelog = z.object({
  id: z.string(),
  user: WireUser,
  spentAt: WireInstant.nullish(),
  timeSpent: z.int(),
  summary: z.string().nullish(),
})
const TIMELOG = 'id user { username name } spentAt timeSpent summary'

const WireTimelogs = z.object({ timelogs: createPageShape(WireTimelog).nullish() })
const TIMELOGS = `... on WorkItemWidgetTimeTracking {
  timelogs(first: 100, after: $after) { nodes { ${TIMELOG} } ${PAGE_INFO} } }`
const WireAdded = z.object({ timelog: WireTimelog }).transform(({ timelog }) => mapTimelog(timelog))

export const createTimelogs = (graphql: ProjectClient) =>
  createWorklogs({
    limits: graphql.limits,
    async read(itemId, _, signal) {
      const pages = readPages(async (after) => {
        const query = { select: TIMELOGS, declarations: ', $after: String', variables: { after } }
        const { widgets, isMine } = await graphql.queryWidgets(itemId, query, WireTimelogs, signal)
        const { entries, next } = widgets.timelogs ?? { entries: [], next: null }
        return { entries: entries.map((wire) => ({ ...mapTimelog(wire), isMine: isMine(wire.user) })), next }
      })
      const worklogs = await collect(pages)
      return { total: worklogs.length, worklogs }
    },
    async prepare({ itemId, startedAt, seconds, text }, signal) {
      const input = { issuableId: toWorkItemId(itemId), spentAt: startedAt, timeSpent: `${seconds}s`, summary: text }
      const step = { name: 'timelogCreate', input, select: () => `timelog { ${TIMELOG} }` }
      return { text, send: () => sendChange(step, WireAdded, graphql, signal) }
    },
  })

function mapTimelog({ id, user, spentAt, timeSpent, summary }: z.output<typeof WireTimelog>): Worklog {
  const startedAt = toInstant(spentAt ?? new Date(0).toISOString())
  return { id, author: toPerson(user), startedAt, seconds: timeSpent, text: summary ?? '' }
}
