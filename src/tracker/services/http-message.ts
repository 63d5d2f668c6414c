/** A request to the tracker, without what all requests have in common. */
export interface HttpRequest {
  method: 'GET' | 'POST' | 'PATCH'
  /** Another host of the same tracker, with the organization. Default: the configured address. */
  base?: string
  /** Below the base, with encoded parts: `/project/_apis/wit/wiql`. */
  path: string
  query?: Record<string, string | number>
  /** Sent as JSON. */
  body?: unknown
  /** Default: `application/json`. */
  contentType?: string
}

/** The response to one request, whatever its status. */
export interface HttpResponse {
  status: number
  /** Empty if the response has none. */
  contentType: string
  location: string | null
  retryAfterMs: number | null
  /** The `Date` header in milliseconds since 1970, if there is one. */
  serverTimeMs: number | null
  /** The body as text, for recognizing a page that is not JSON. */
  text: string
  /** The parsed body; undefined if it is not valid JSON or not declared as JSON. */
  json: unknown
}

export function createResponse(parts: Omit<HttpResponse, 'json'>): HttpResponse {
  return { ...parts, json: /\bjson\b/i.test(parts.contentType) ? parseBody(parts.text) : undefined }
}

function parseBody(text: string): unknown {
  try {
    return parseJsonWithoutNulls(text.replace(/^\uFEFF/, ''))
  } catch {
    return undefined
  }
}

/** Removes U+0000, which some databases cannot store, terminals cannot show and the tracker does not accept. */
export function parseJsonWithoutNulls(text: string): unknown {
  return JSON.parse(text, text.includes('\\u0000') ? removeNullCharacters : undefined)
}

function removeNullCharacters(_: string, value: unknown): unknown {
  return typeof value === 'string' ? value.replaceAll('\u0000', '') : value
}
