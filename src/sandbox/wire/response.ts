import { createErrorBody, type WireError } from './wire-error'

/** What goes back over the wire, before it is bytes. */
export interface WireResponse {
  status: number
  headers: Record<string, string>
  body: string
}

export function createJsonResponse(value: unknown, status = 200): WireResponse {
  return { status, headers: { 'content-type': 'application/json; charset=utf-8' }, body: JSON.stringify(value) }
}

/** `{count, value}`: how the tracker gives a list. */
export function createListResponse(value: readonly unknown[]): WireResponse {
  return createJsonResponse({ count: value.length, value })
}

export function createErrorResponse(refusal: WireError): WireResponse {
  return createJsonResponse(createErrorBody(refusal), refusal.status)
}

/** A page for people. It runs nothing and loads nothing. */
export function createPageResponse(html: string, status = 200): WireResponse {
  return {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy':
        "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      'referrer-policy': 'no-referrer',
    },
    body: html,
  }
}
