import * as z from 'zod'
import type { HookRegistration, TrackerHook } from '../services/hooks/hook-format'
import { findRegistered, sendRegistration } from '../services/hooks/send-registration'
import { HOOK_EVENTS, HOOK_USER } from './hook-format'
import type { AdapterParts } from './item-reader'

const WireProject = z.object({ id: z.string() })
const WireSubscriptions = z.object({
  value: z.array(
    z.object({
      id: z.string(),
      eventType: z.string(),
      publisherInputs: z.record(z.string(), z.unknown()).nullish(),
      consumerInputs: z.record(z.string(), z.unknown()).nullish(),
    }),
  ),
})

const SUBSCRIPTIONS = '/_apis/hooks/subscriptions'
const CONSUMER = { publisherId: 'tfs', consumerId: 'webHooks' }

/** Creates a subscription of a service hook for each event, or gives those with this address the secret. */
export async function registerHook(
  { url, secret }: TrackerHook,
  { client, project }: AdapterParts,
  signal: AbortSignal,
): Promise<HookRegistration> {
  const name = encodeURIComponent(await project.get(signal))
  const { id: projectId } = await client.read({ method: 'GET', path: `/_apis/projects/${name}` }, WireProject, signal)
  const listing = { method: 'GET', path: SUBSCRIPTIONS, query: CONSUMER } as const
  const { value: all } = await client.read(listing, WireSubscriptions, signal)
  const own = all.filter(({ publisherInputs }) => publisherInputs?.['projectId'] === projectId)
  let isNew = true
  for (const eventType of HOOK_EVENTS) {
    const sameEvent = own.filter((one) => one.eventType === eventType)
    const known = findRegistered(sameEvent, url, ({ consumerInputs }) => String(consumerInputs?.['url'] ?? ''))
    const body = {
      ...CONSUMER,
      eventType,
      resourceVersion: '1.0',
      consumerActionId: 'httpRequest',
      publisherInputs: { projectId },
      consumerInputs: {
        url,
        basicAuthUsername: HOOK_USER,
        basicAuthPassword: secret,
        // The texts of the items stay in the tracker: an event only has to name its item.
        resourceDetailsToSend: 'minimal',
        messagesToSend: 'none',
        detailedMessagesToSend: 'none',
      },
    }
    if (known !== null) isNew = false
    await (known === null
      ? sendRegistration(client, { method: 'POST', path: SUBSCRIPTIONS, body }, signal)
      : sendRegistration(client, { method: 'PUT', path: `${SUBSCRIPTIONS}/${known.id}`, body }, signal))
  }
  return { outcome: isNew ? 'created' : 'updated', events: HOOK_EVENTS }
}
