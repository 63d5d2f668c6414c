import type { HttpClientSettings } from '../services/http-client'

/** What every request to Azure DevOps carries, and what no error message may repeat. */
export function createRequestDefaults(
  token: string | null,
  userAgent: string,
): Pick<HttpClientSettings, 'headers' | 'query' | 'secrets'> {
  const headers = {
    accept: 'application/json',
    'accept-encoding': 'gzip',
    'user-agent': userAgent,
    // Without it the tracker redirects to a sign-in page instead of sending a status.
    'x-tfs-fedauthredirect': 'Suppress',
  }
  const query = { 'api-version': '7.1' }
  if (token === null) return { headers, query, secrets: [] }
  const credentials = Buffer.from(`:${token}`).toString('base64')
  return { headers: { ...headers, authorization: `Basic ${credentials}` }, query, secrets: [token, credentials] }
}
