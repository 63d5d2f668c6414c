import * as z from 'zod'
import { type HookFormat, ifValid } from '../services/hooks/hook-format'
import { DEFAULT_SETTING_NAMES } from '../services/setting-names'
import { parseRepositoryAddress } from './address'

/** The events of a webhook about issues, by the names of the API. */
export const HOOK_EVENTS = ['issues', 'issue_comment', 'sub_issues', 'issue_dependencies'] as const

/** A larger number would make the tracker refuse all that is read with it. */
const IssueNumber = z.int32().positive()
const Issue = z.object({ number: IssueNumber, pull_request: z.unknown().optional() })
const Repository = z.object({ full_name: z.string().regex(/^[\w.-]{1,100}\/[\w.-]{1,100}$/) })

/** Each issue of an event has its repository beside it, or that of the event. */
const WireEvent = z.object({
  repository: ifValid(Repository),
  issue: ifValid(Issue),
  sub_issue: ifValid(Issue),
  sub_issue_repo: ifValid(Repository),
  parent_issue: ifValid(Issue),
  parent_issue_repo: ifValid(Repository),
  blocked_issue: ifValid(Issue),
  blocked_issue_repo: ifValid(Repository),
  blocking_issue: ifValid(Issue),
  blocking_issue_repo: ifValid(Repository),
})

export const githubHook: HookFormat = {
  listKeys(event) {
    const parsed = WireEvent.safeParse(event).data ?? {}
    const { repository } = parsed
    const issues = [
      [parsed.issue, repository],
      [parsed.sub_issue, parsed.sub_issue_repo],
      [parsed.parent_issue, parsed.parent_issue_repo],
      [parsed.blocked_issue, parsed.blocked_issue_repo],
      [parsed.blocking_issue, parsed.blocking_issue_repo],
    ] as const
    return issues.flatMap(([issue, own]) => {
      const { full_name: name } = own ?? repository ?? {}
      // Comments on pull requests come as events of issues.
      return issue === undefined || name === undefined || issue.pull_request != null ? [] : [`${name}#${issue.number}`]
    })
  },
  describe({ url, secret }, tracker) {
    const { webBase, owner, name } = parseRepositoryAddress(tracker.url, tracker.project, DEFAULT_SETTING_NAMES)
    return {
      page: `${webBase}/${owner}/${name}/settings/hooks/new`,
      fields: [
        { name: 'Payload URL', value: url },
        { name: 'Content type', value: 'application/json' },
        { name: 'Secret', value: secret },
        { name: 'Which events', value: 'Let me select individual events' },
      ],
      events: ['Issues', 'Issue comments', 'Sub-issues', 'Issue dependencies'],
    }
  },
}
