import * as z from 'zod'
import { createTokenError } from '../services/requests/response-errors'
import type { RetryingClient } from '../services/requests/retrying-client'
import { ignoreRefusal } from '../services/requests/tracker-error'
import { createTokenHint } from './response-error'

const ConnectionData = z.object({ authenticatedUser: z.object({ id: z.string().nullish() }).nullish() })

/** The identity of anyone who reads a public project. */
const ANONYMOUS_ID = 'aaaaaaaa-aaaa-aaaa-aaaa-aaaaaaaaaaaa'

/** Throws `tracker_token` if the tracker answers as to an anonymous reader. */
export async function checkCredential(client: RetryingClient, signal: AbortSignal): Promise<void> {
  const { access } = client
  const request = { method: 'GET', path: '/_apis/connectionData', query: { 'api-version': '7.1-preview' } } as const
  const found = await client.read(request, ConnectionData, signal).catch(ignoreRefusal)
  if (found?.authenticatedUser?.id?.toLowerCase() === ANONYMOUS_ID)
    throw createTokenError('It answers as to anyone.', access, createTokenHint(access))
}
