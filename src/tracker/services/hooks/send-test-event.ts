import { request } from 'undici'
import { errorCodeOf, StudioError } from '../../../kernel'
import type { TrackerHook } from './hook-format'
import { signHook } from './hook-request'

const TIMEOUT_MS = 10_000

/** Sends an event without items to the service, as the tracker would. Throws unless it is accepted. */
export async function sendTestEvent({ url, secret }: TrackerHook, signal: AbortSignal): Promise<void> {
  const body = Buffer.from(JSON.stringify({ test: true, sentAt: new Date().toISOString() }))
  const headers = { 'content-type': 'application/json', 'x-hub-signature-256': signHook(body, secret) }
  const sent = request(url, {
    method: 'POST',
    headers,
    body,
    signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
  })
  const response = await sent.catch((error: unknown) => {
    if (signal.aborted) throw error
    throw new StudioError('unavailable', `No service answers at ${url}: ${errorCodeOf(error) ?? 'no answer'}.`, {
      hint: 'Check the address and that studio serve runs there. The tracker must reach it, too.',
      cause: error,
    })
  })
  await response.body.dump()
  if (response.statusCode !== 202) throw createRefusalError(url, response.statusCode)
}

function createRefusalError(url: string, status: number): StudioError {
  const { host } = new URL(url)
  const advice =
    new Map([
      [401, 'The service there works on another workspace, or has not read the new secret.'],
      [403, `Set serve.publicUrl to this address, or allow its name: studio serve --allow-host ${host}`],
      [404, 'Another program answers there, or an older version of studio.'],
    ]).get(status) ?? 'Check the log of the service, and of the proxy before it.'
  return new StudioError('unavailable', `The test event was refused with status ${status} at ${url}.`, { hint: advice })
}
