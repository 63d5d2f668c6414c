import * as z from 'zod'
import type { HookRegistration, TrackerHook } from '../services/hooks/hook-format'
import { findRegistered, RegistrationError, sendRegistration } from '../services/hooks/send-registration'
import type { RetryingClient } from '../services/requests/retrying-client'
import type { RepositoryAddress } from './address'
import { HOOK_EVENTS } from './hook-format'

const WireHooks = z.array(z.object({ id: z.int(), config: z.object({ url: z.string().nullish() }) }))

/** Events that a server of your own may not have. */
const NEWER_EVENTS: ReadonlySet<string> = new Set(['sub_issues', 'issue_dependencies'])

/** Creates the webhook of the repository, or gives the one with this address its secret and events. */
export async function registerHook(
  { url, secret }: TrackerHook,
  { client, repository }: { client: RetryingClient; repository: RepositoryAddress },
  signal: AbortSignal,
): Promise<HookRegistration> {
  const { owner, name, restPath } = repository
  const named = `${restPath}/repos/${encodeURIComponent(owner)}/${encodeURIComponent(name)}/hooks`
  const path = (await findRenamedPath(named, { client, repository }, signal)) ?? named
  const hooks = await client.read({ method: 'GET', path, query: { per_page: 100 } }, WireHooks, signal)
  const known = findRegistered(hooks, url, ({ config }) => config.url)
  const config = { url, content_type: 'json', secret, insecure_ssl: '0' }
  const send = async (events: readonly string[]): Promise<HookRegistration> => {
    const body = { active: true, events, config }
    await (known === null
      ? sendRegistration(client, { method: 'POST', path, body: { name: 'web', ...body } }, signal)
      : sendRegistration(client, { method: 'PATCH', path: `${path}/${known.id}`, body }, signal))
    return { outcome: known === null ? 'created' : 'updated', events }
  }
  return send(HOOK_EVENTS).catch((error: unknown) => {
    // It does not know an event.
    if (!(error instanceof RegistrationError) || error.status !== 422) throw error
    return send(HOOK_EVENTS.filter((event) => !NEWER_EVENTS.has(event)))
  })
}

/** GitHub redirects from the old name of a repository to its ID, within its API. Null if it has still the name. */
async function findRenamedPath(
  path: string,
  { client, repository }: { client: RetryingClient; repository: RepositoryAddress },
  signal: AbortSignal,
): Promise<string | null> {
  const { base } = repository.api
  const { status, location } = await client.readAny({ method: 'GET', path }, signal)
  if (![301, 307, 308].includes(status) || location === null || !URL.canParse(location, base)) return null
  const { origin, pathname } = new URL(location, base)
  return origin === new URL(base).origin && /\/repositories\/\d+\/hooks$/.test(pathname) ? pathname : null
}
