import * as z from 'zod'
import { type HookFormat, ifValid } from '../services/hooks/hook-format'
import { DEFAULT_SETTING_NAMES } from '../services/setting-names'
import { parseProjectAddress } from './address'

/** A larger number would make the tracker refuse all that is read with it. */
const WireItem = z.object({ id: z.int32().positive() })

/** GitLab reports the number of the global ID of an item. A comment has the item beside it. */
const WireEvent = z.object({
  object_kind: ifValid(z.string()),
  object_attributes: ifValid(WireItem),
  issue: ifValid(WireItem),
  work_item: ifValid(WireItem),
})

/** The events of a webhook about work items, by their names in the API. */
export const HOOK_EVENTS = [
  'issues_events',
  'confidential_issues_events',
  'note_events',
  'confidential_note_events',
] as const

export const gitlabHook: HookFormat = {
  listKeys(event) {
    const {
      object_kind: kind,
      object_attributes: item,
      issue,
      work_item: other,
    } = WireEvent.safeParse(event).data ?? {}
    const found = kind === 'note' ? (issue ?? other) : kind === 'issue' || kind === 'work_item' ? item : undefined
    return found === undefined ? [] : [String(found.id)]
  },
  describe({ url, secret }, tracker) {
    const { api, path } = parseProjectAddress(tracker.url, tracker.project, DEFAULT_SETTING_NAMES)
    return {
      page: `${api.base}/${path}/-/hooks`,
      fields: [
        { name: 'URL', value: url },
        { name: 'Secret token', value: secret },
      ],
      events: ['Issues events', 'Confidential issues events', 'Comments', 'Confidential comments'],
    }
  },
}
