import * as z from 'zod'
import type { HookRegistration, TrackerHook } from '../services/hooks/hook-format'
import { findRegistered, sendRegistration } from '../services/hooks/send-registration'
import { collect } from '../services/requests/pages'
import { HOOK_TYPES } from './hook-format'
import { GRAPHQL_PATH, type LinearClient } from './linear-client'
import type { TeamMetadata } from './team-metadata'

const WireHook = z.object({ id: z.string(), url: z.string().nullish() })

/** Creates the webhook of the team, or gives the one with this address its secret and kinds of data. */
export async function registerHook(
  { url, secret }: TrackerHook,
  { linear, metadata }: { linear: LinearClient; metadata: TeamMetadata },
  signal: AbortSignal,
): Promise<HookRegistration> {
  const list = { name: 'webhooks', args: {}, fields: 'id url', shape: WireHook }
  const hooks = await collect(linear.readList(list, signal))
  const known = findRegistered(hooks, url, (hook) => hook.url)
  const { teamId } = await metadata.get(signal)
  const input = { url, secret, enabled: true, resourceTypes: HOOK_TYPES }
  const body =
    known === null
      ? {
          query: 'mutation($input: WebhookCreateInput!) { webhookCreate(input: $input) { success } }',
          variables: { input: { ...input, teamId, label: 'studio' } },
        }
      : {
          query:
            'mutation($id: String!, $input: WebhookUpdateInput!) { webhookUpdate(id: $id, input: $input) { success } }',
          variables: { id: known.id, input },
        }
  await sendRegistration(linear.http, { method: 'POST', path: GRAPHQL_PATH, body }, signal)
  return { outcome: known === null ? 'created' : 'updated', events: HOOK_TYPES }
}
