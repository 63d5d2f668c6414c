import * as z from 'zod'
import type { HttpResponse } from '../services/requests/http-client'
import { mapConcurrently } from '../services/requests/map-concurrently'
import type { RetryingClient } from '../services/requests/retrying-client'
import type { RepositoryAddress } from './address'

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
    if (response.status === 410) return 'It was deleted.'
    return response.status === 301 ? explainMove(response, { client, repository }, signal) : null
  }
  const asked = numbers.slice(0, MAX_ISSUES)
  const reasons = await mapConcurrently(asked, { limit: client.limits.maxConcurrent, signal }, explain)
  return new Map(asked.flatMap((number, i): [number, string][] => (reasons[i] ? [[number, reasons[i]]] : [])))
}

/** The token is sent to no other host than the API. */
async function explainMove(
  { location }: HttpResponse,
  { client, repository }: { client: RetryingClient; repository: RepositoryAddress },
  signal: AbortSignal,
): Promise<string> {
  const moved = 'It was moved to another repository'
  const { base } = repository.api
  const target = location !== null && URL.canParse(location, base) ? new URL(location, base) : null
  if (target?.origin !== new URL(base).origin) return `${moved}.`
  const { json } = await client.readAny({ method: 'GET', path: target.pathname }, signal)
  const page = MovedIssue.safeParse(json).data?.html_url
  return page !== undefined && URL.canParse(page) ? `${moved}: ${new URL(page).href}` : `${moved}.`
}
