/** What came back for one request, whatever its status. */
export interface Answer {
  status: number
  /** Empty where none was sent. */
  contentType: string
  location: string | null
  retryAfterMs: number | null
  /** What the clock of the tracker showed, in milliseconds since 1970; null where it does not say. */
  saidAt: number | null
  /** The body as text; kept for recognizing a page that is not JSON. */
  text: string
  /** The parsed body; undefined where it is not JSON or does not say that it is. */
  json: unknown
}

/** A request to the tracker, without what all of them have in common. */
export interface Ask {
  method: 'GET' | 'POST' | 'PATCH'
  /** Another host of the same tracker, with the organization; the address of the settings where absent. */
  base?: string
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
    return JSON.parse(text.replace(/^\uFEFF/, ''), text.includes('\\u0000') ? withoutNull : undefined)
  } catch {
    return undefined
  }
}

/** A text with U+0000 cannot be kept by every database, shown by a terminal or sent back to the tracker. */
function withoutNull(_: string, value: unknown): unknown {
  return typeof value === 'string' ? value.replaceAll('\u0000', '') : value
}
