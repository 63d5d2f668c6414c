import * as z from 'zod'
import { type HookFormat, ifValid } from '../services/hooks/hook-format'
import { parseIdentifier, parseTeamAddress } from './address'

/** The kinds of data whose changes are reported. */
export const HOOK_TYPES = ['Issue', 'Comment'] as const

const Identifier = z.string().refine((text) => parseIdentifier(text) !== null)
const WireEvent = z.object({
  data: z.object({
    identifier: ifValid(Identifier),
    /** The identifiers that the issue had in other teams. */
    previousIdentifiers: ifValid(z.array(Identifier).max(20)),
    issue: ifValid(z.object({ identifier: Identifier })),
  }),
})

export const linearHook: HookFormat = {
  listKeys(event) {
    const { identifier, previousIdentifiers = [], issue } = WireEvent.safeParse(event).data?.data ?? {}
    const all = [identifier, ...previousIdentifiers, issue?.identifier].filter((key) => key !== undefined)
    return [...new Set(all)]
  },
  describe({ url, secret }, tracker) {
    const { webBase, workspace } = parseTeamAddress(tracker.url, tracker.project)
    return {
      page: `${webBase}/${workspace}/settings/api/webhooks/new`,
      fields: [
        { name: 'URL', value: url },
        { name: 'Signing secret', value: secret },
      ],
      events: ['Issues', 'Comments'],
    }
  },
}
