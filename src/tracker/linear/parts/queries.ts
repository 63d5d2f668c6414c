import * as z from 'zod'
import { StudioError } from '../../../kernel'
import { isRecord } from '../../../kernel/json'
import type { QueryRunner } from '../../tracker'
import { toNumbers, WireNumbers } from '../find-issues'
import { type Arguments, type LinearClient, MAX_PAGE_SIZE } from '../linear-client'

const WireView = z.object({
  id: z.string(),
  name: z.string(),
  modelName: z.string(),
  slugId: z.string(),
  filterData: z.unknown(),
  team: z.object({ key: z.string() }).nullish(),
})

/** Runs the views that people have saved, and filters of issues as the API takes them. */
export function createQueryRunner(linear: LinearClient): QueryRunner {
  const { key, workspace, webBase } = linear.team
  return {
    language: 'IssueFilter',

    async list(signal) {
      const fields = 'id name modelName slugId filterData team { key }'
      const views: z.output<typeof WireView>[] = []
      for await (const page of linear.readList({ name: 'customViews', args: {}, fields, shape: WireView }, signal))
        views.push(...page)
      return views
        .filter(({ modelName, team }) => modelName === 'Issue' && (!team || team.key === key))
        .map(({ id, name, slugId, filterData, team }) => ({
          id,
          name: team ? `${team.key}/${name}` : name,
          text: isRecord(filterData) ? JSON.stringify(filterData) : null,
          url: `${webBase}/${encodeURIComponent(workspace)}/view/${encodeURIComponent(slugId)}`,
        }))
    },

    async run(query, limit, signal) {
      const own = linear.filterIssues()
      const first = ['Int', Math.min(limit, MAX_PAGE_SIZE)] as const
      const filter = 'saved' in query ? own : { and: [own, parseFilter(query.text)] }
      const connection =
        'issues(filter: $filter, first: $first, after: $after) { nodes { number trashed } pageInfo { hasNextPage endCursor } }'
      const select = 'saved' in query ? `place: customView(id: $id) { list: ${connection} }` : `list: ${connection}`
      const shape =
        'saved' in query ? z.object({ place: z.object({ list: WireNumbers }) }) : z.object({ list: WireNumbers })
      const ids: number[] = []
      for (let after: string | null = null; ; ) {
        const args: Arguments = {
          ...('saved' in query ? { id: ['String!', query.saved] } : {}),
          filter: ['IssueFilter', filter],
          first,
          after: ['String', after],
        }
        const answer: { place: { list: z.output<typeof WireNumbers> } } | { list: z.output<typeof WireNumbers> } =
          await linear.ask(select, args, shape, signal)
        const { entries, next } = 'place' in answer ? answer.place.list : answer.list
        ids.push(...toNumbers(entries))
        if (next === null && ids.length <= limit) return { ids, total: ids.length }
        if (next === null || next === after || ids.length >= limit) return { ids: ids.slice(0, limit), total: null }
        after = next
      }
    },
  }
}

function parseFilter(text: string): Record<string, unknown> {
  try {
    const filter: unknown = JSON.parse(text)
    if (isRecord(filter)) return filter
  } catch {
    // It is no JSON.
  }
  throw new StudioError('invalid', 'The query is not a filter of Linear in JSON.', {
    hint: 'Write it as the API takes it: {"priority":{"eq":1}}',
  })
}
