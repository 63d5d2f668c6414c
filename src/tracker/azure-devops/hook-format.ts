import * as z from 'zod'
import { type HookFormat, ifValid } from '../services/hooks/hook-format'
import { parseTrackerAddress } from '../services/tracker-address'
import { buildProjectPath } from './urls'

/** The events of a service hook about work items. Each has a subscription of its own. */
export const HOOK_EVENTS = [
  'workitem.created',
  'workitem.updated',
  'workitem.deleted',
  'workitem.restored',
  'workitem.commented',
] as const

/** The name is of no importance: the password is the secret. */
export const HOOK_USER = 'studio'

/** A larger number would make the tracker refuse all that is read with it. */
const Id = z.int32().positive()

/** An update has an ID of its own, and names its item in one of three places, of which the vendor's own example fills two. */
const WireEvent = z.object({
  eventType: z.string(),
  resource: z.object({
    id: ifValid(Id),
    workItemId: ifValid(Id),
    revision: ifValid(z.object({ id: ifValid(Id) })),
    url: ifValid(z.string()),
  }),
})

export const azureDevOpsHook: HookFormat = {
  listKeys(event) {
    const { eventType = '', resource = {} } = WireEvent.safeParse(event).data ?? {}
    if (!eventType.startsWith('workitem.')) return []
    const inAddress = /\/workitems\/([1-9]\d{0,8})(?:\/|$)/i.exec(resource.url ?? '')?.[1]
    const own = eventType === 'workitem.updated' ? undefined : resource.id
    const id = resource.workItemId ?? resource.revision?.id ?? inAddress ?? own
    return id === undefined ? [] : [String(id)]
  },
  describe: ({ url, secret }, { url: address, project }) => ({
    page: `${parseTrackerAddress(address).base}${buildProjectPath(project, '_settings/serviceHooks')}`,
    fields: [
      { name: 'Service', value: 'Web Hooks' },
      { name: 'URL', value: url },
      { name: 'Basic authentication username', value: HOOK_USER },
      { name: 'Basic authentication password', value: secret },
      { name: 'Resource details to send', value: 'Minimal' },
      { name: 'Messages to send', value: 'None' },
      { name: 'Detailed messages to send', value: 'None' },
    ],
    events: HOOK_EVENTS.map((name) => `Work item ${name.slice('workitem.'.length)}`),
  }),
}
