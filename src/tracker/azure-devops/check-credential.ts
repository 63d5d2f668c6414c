import * as z from 'zod'
import type { RetryingClient } from '../services/requests/retrying-client'
import { ignoreRefusal, TrackerError } from '../services/requests/tracker-error'

const ConnectionData = z.object({
  authenticatedUser: z.object({ id: z.string().nullish(), descriptor: z.string().nullish() }).nullish(),
})

/** The identity of anybody who reads a public project. */
const ANONYMOUS_ID = 'aaaaaaaa-aaaa-aaaa-aaaa-aaaaaaaaaaaa'

/** Throws `tracker_token` if the tracker answers as to an anonymous reader. */
export async function checkCredential(
  client: RetryingClient,
  { hasToken, tokenSetting }: { hasToken: boolean; tokenSetting: string },
  signal: AbortSignal,
): Promise<void> {
  if (!hasToken) return
  const request = { method: 'GET', path: '/_apis/connectionData', query: { 'api-version': '7.1-preview' } } as const
  const found = await client.read(request, ConnectionData, signal).catch(ignoreRefusal)
  if (found?.authenticatedUser?.id?.toLowerCase() !== ANONYMOUS_ID) return
  throw new TrackerError('tracker_token', 'The tracker does not know the token, and answers as to anybody.', {
    hint: `Create a new personal access token, and set ${tokenSetting} to it.`,
  })
}
