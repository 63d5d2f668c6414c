import * as z from 'zod'
import type { HookRegistration, TrackerHook } from '../services/hooks/hook-format'
import { findRegistered, sendRegistration } from '../services/hooks/send-registration'
import { HOOK_EVENTS } from './hook-format'
import type { JiraClient } from './jira-client'

const WireHooks = z.array(z.object({ self: z.string(), url: z.string() }))

const WEBHOOKS = '/rest/webhooks/1.0/webhook'

/**
 * Creates the webhook of the project, or gives the one with this address the secret. Jira Cloud signs events with it. Jira Data Center has
 * no field for it, so it is a parameter of the address there.
 */
export async function registerHook(
  { url, secret }: TrackerHook,
  client: JiraClient,
  signal: AbortSignal,
): Promise<HookRegistration> {
  const { http, project } = client
  const isCloud = (await client.deployment(signal)) === 'cloud'
  const hooks = await http.read({ method: 'GET', path: WEBHOOKS }, WireHooks, signal)
  const known = findRegistered(hooks, url, (hook) => hook.url)
  const body = {
    name: 'studio',
    url: isCloud ? url : `${url}?secret=${encodeURIComponent(secret)}`,
    events: HOOK_EVENTS,
    filters: { 'issue-related-events-section': `project = "${project.key}"` },
    excludeBody: false,
    enabled: true,
    ...(isCloud ? { secret } : {}),
  }
  const id = known === null ? null : known.self.slice(known.self.lastIndexOf('/') + 1)
  await (id === null
    ? sendRegistration(http, { method: 'POST', path: WEBHOOKS, body }, signal)
    : sendRegistration(http, { method: 'PUT', path: `${WEBHOOKS}/${encodeURIComponent(id)}`, body }, signal))
  return { outcome: id === null ? 'created' : 'updated', events: HOOK_EVENTS }
}
