import * as z from 'zod'
import { StudioError } from '../../../kernel'
import { isRecord } from '../../../kernel/json'
import { PAGE_INFO } from '../../services/requests/graphql-pages'
import { collect, readPages } from '../../services/requests/pages'
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
      const views = await collect(linear.readList({ name: 'customViews', args: {}, fields, shape: WireView }, signal))
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
      const isSaved = 'saved' in query
      const args: Arguments = {
        ...(isSaved && { id: ['String!', query.saved] }),
        filter: ['IssueFilter', isSaved ? own : { and: [own, parseFilter(query.text)] }],
        first: ['Int', Math.min(limit, MAX_PAGE_SIZE)],
      }
      const list = `list: issues(filter: $filter, first: $first, after: $after) { nodes { number trashed } ${PAGE_INFO} }`
      const select = isSaved ? `place: customView(id: $id) { ${list} }` : list
      const Page = z.object({ list: WireNumbers })
      const Answer = isSaved ? z.object({ place: Page }).transform(({ place }) => place) : Page
      let isWhole = false
      const pages = readPages(async (after) => {
        const answer = await linear.ask(select, { ...args, after: ['String', after] }, Answer, signal)
        isWhole = answer.list.next === null
        return { ...answer.list, entries: toNumbers(answer.list.entries) }
      })
      const ids = await collect(pages, limit)
      return { ids: ids.slice(0, limit), total: isWhole && ids.length <= limit ? ids.length : null }
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
