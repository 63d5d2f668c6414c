import { type Refusal, refusalBody } from './refusal'

/** What goes back over the wire, before it is bytes. */
export interface Answer {
  status: number
  headers: Record<string, string>
  body: string
}

export function jsonAnswer(value: unknown, status = 200): Answer {
  return { status, headers: { 'content-type': 'application/json; charset=utf-8' }, body: JSON.stringify(value) }
}

/** `{count, value}`: how the tracker gives a list. */
export function listAnswer(value: readonly unknown[]): Answer {
  return jsonAnswer({ count: value.length, value })
}

export function refusalAnswer(refusal: Refusal): Answer {
  return jsonAnswer(refusalBody(refusal), refusal.status)
}

/** A page for people. It runs nothing and loads nothing. */
export function pageAnswer(html: string, status = 200): Answer {
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
