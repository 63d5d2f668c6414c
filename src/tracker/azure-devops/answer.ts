/** What came back for one request, whatever its status. */
export interface Answer {
  status: number
  /** Empty where none was sent. */
  contentType: string
  location: string | null
  retryAfterMs: number | null
  /** The body as text; kept for recognizing a page that is not JSON. */
  text: string
  /** The parsed body; undefined where it is not JSON or does not say that it is. */
  json: unknown
}

/** A request to the tracker, without what all of them have in common. */
export interface Ask {
  method: 'GET' | 'POST' | 'PATCH'
  /** Below the base, its parts encoded: `/project/_apis/wit/wiql`. */
  path: string
  query?: Record<string, string | number>
  /** Sent as JSON. */
  body?: unknown
  /** `application/json` where absent. */
  contentType?: string
}

export function answerOf(parts: Omit<Answer, 'json'>): Answer {
  return { ...parts, json: /\bjson\b/i.test(parts.contentType) ? parseJson(parts.text) : undefined }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch {
    return undefined
  }
}
