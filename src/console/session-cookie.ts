import type { IncomingHttpHeaders } from 'node:http'

const NAME = 'studio_session'
const ATTRIBUTES = 'Path=/console; HttpOnly; SameSite=Strict'
const WEEK_SECONDS = 7 * 24 * 3600

/** The secret of the session; null if the request has no cookie, or one of another form. */
export function readSessionCookie({ cookie }: IncomingHttpHeaders): string | null {
  const found = (cookie ?? '')
    .split(';')
    .map((part) => part.trim())
    .find((part) => part.startsWith(`${NAME}=`))
  const secret = found?.slice(NAME.length + 1) ?? ''
  return /^studio_ses_[0-9A-Za-z]{36}$/.test(secret) ? secret : null
}

/** Behind TLS the browser sends the cookie over TLS alone. The session itself decides when it ends. */
export function formatSessionCookie(secret: string, { isSecure }: { isSecure: boolean }): string {
  return `${NAME}=${secret}; ${ATTRIBUTES}; Max-Age=${WEEK_SECONDS}${isSecure ? '; Secure' : ''}`
}

export const EXPIRED_COOKIE = `${NAME}=; ${ATTRIBUTES}; Max-Age=0`
