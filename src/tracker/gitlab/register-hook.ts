import * as z from 'zod'
import type { HookRegistration, TrackerHook } from '../services/hooks/hook-format'
import { findRegistered, sendRegistration } from '../services/hooks/send-registration'
import type { RetryingClient } from '../services/requests/retrying-client'
import type { ProjectAddress } from './address'
import { HOOK_EVENTS } from './hook-format'

const WireHooks = z.array(z.object({ id: z.int(), url: z.string().nullish() }))

/** Creates the webhook of the project, or gives the one with this address its secret and events. */
export async function registerHook(
  { url, secret }: TrackerHook,
  { client, address }: { client: RetryingClient; address: ProjectAddress },
  signal: AbortSignal,
): Promise<HookRegistration> {
  const path = `/api/v4/projects/${encodeURIComponent(address.path)}/hooks`
  const hooks = await client.read({ method: 'GET', path, query: { per_page: 100 } }, WireHooks, signal)
  const known = findRegistered(hooks, url, (hook) => hook.url)
  const events = Object.fromEntries(HOOK_EVENTS.map((name) => [name, true]))
  const body = { url, token: secret, push_events: false, enable_ssl_verification: true, ...events }
  await (known === null
    ? sendRegistration(client, { method: 'POST', path, body }, signal)
    : sendRegistration(client, { method: 'PUT', path: `${path}/${known.id}`, body }, signal))
  return { outcome: known === null ? 'created' : 'updated', events: HOOK_EVENTS }
}
