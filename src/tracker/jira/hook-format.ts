import * as z from 'zod'
import { type HookFormat, ifValid } from '../services/hooks/hook-format'
import { parseTrackerAddress } from '../services/tracker-address'

/** The events of a webhook about issues. */
export const HOOK_EVENTS = [
  'jira:issue_created',
  'jira:issue_updated',
  'jira:issue_deleted',
  'comment_created',
  'comment_updated',
  'comment_deleted',
  'issuelink_created',
  'issuelink_deleted',
] as const

/** Issues are named by their IDs, as texts or numbers, which the key of a moved issue is not. */
const Id = z.union([z.string().regex(/^[1-9]\d{0,14}$/), z.int().positive()]).transform(String)

const WireEvent = z.object({
  issue: ifValid(z.object({ id: ifValid(Id), key: ifValid(z.string().regex(/^[A-Z][A-Z0-9_]{0,99}-[1-9]\d{0,9}$/)) })),
  issueLink: ifValid(z.object({ sourceIssueId: ifValid(Id), destinationIssueId: ifValid(Id) })),
})

export const jiraHook: HookFormat = {
  listKeys(event) {
    const { issue, issueLink } = WireEvent.safeParse(event).data ?? {}
    const keys = [issue?.id ?? issue?.key, issueLink?.sourceIssueId, issueLink?.destinationIssueId]
    return keys.filter((key) => key !== undefined)
  },
  describe: ({ url, secret }, tracker) => ({
    page: `${parseTrackerAddress(tracker.url).base}/plugins/servlet/webhooks`,
    fields: [
      { name: 'URL', value: url },
      { name: 'Secret', value: secret },
      { name: 'URL, where Jira has no field for a secret', value: `${url}?secret=${secret}` },
      { name: 'JQL', value: `project = ${tracker.project ?? ''}` },
    ],
    events: ['Issue: created, updated, deleted', 'Comment: created, updated, deleted', 'Issue link: created, deleted'],
  }),
}
