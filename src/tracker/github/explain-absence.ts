import * as z from 'zod'
import type { HttpResponse } from '../services/requests/http-client'
import { mapConcurrently } from '../services/requests/map-concurrently'
import type { RetryingClient } from '../services/requests/retrying-client'
import type { RepositoryAddress } from './address'
import { DELETED } from './parts/deletion'

/** Each takes a request, and many absent issues have one reason: the rights of the token. */
const MAX_ISSUES = 10

const MovedIssue = z.object({ html_url: z.string() })

/** Asks the REST API, which tells deleted and moved issues apart from those that the token cannot see. The GraphQL API does not. */
export async function explainAbsence(
  numbers: readonly number[],
  { client, repository }: { client: RetryingClient; repository: RepositoryAddress },
  signal: AbortSignal,
): Promise<ReadonlyMap<number, string>> {
  const { owner, name, restPath } = repository
  const explain = async (number: number): Promise<string | null> => {
    const path = `${restPath}/repos/${encodeURIComponent(owner)}/${encodeURIComponent(name)}/issues/${number}`
    const response = await client.readAny({ method: 'GET', path }, signal)
    if (response.status === 410) return DELETED
    return response.status === 301 ? explainMove(response, { client, repository }, signal) : null
  }
  const asked = numbers.slice(0, MAX_ISSUES)
  const reasons = await mapConcurrently(asked, { limit: client.limits.maxConcurrent, signal }, explain)
  return new Map(asked.flatMap((number, i): [number, string][] => (reasons[i] ? [[number, reasons[i]]] : [])))
}

/**
 * Asks where GitHub redirects to, because it does so for a renamed repository too, whatever the number is of there. The token is sent to no
 * other host than the API.
 */
async function explainMove(
  { location }: HttpResponse,
  { client, repository }: { client: RetryingClient; repository: RepositoryAddress },
  signal: AbortSignal,
): Promise<string | null> {
  const moved = 'It was moved to another repository'
  const { base } = repository.api
  const target = location !== null && URL.canParse(location, base) ? new URL(location, base) : null
  if (target?.origin !== new URL(base).origin) return `${moved}.`
  const { status, json } = await client.readAny({ method: 'GET', path: target.pathname }, signal)
  if (status === 410) return DELETED
  const page = MovedIssue.safeParse(json).data?.html_url
  const url = page !== undefined && URL.canParse(page) ? new URL(page) : null
  return url?.pathname.includes('/issues/') ? `${moved}: ${url.href}` : null
}
