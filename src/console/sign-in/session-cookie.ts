import type { IncomingHttpHeaders } from 'node:http'

/** A cookie whose name begins so belongs to this host alone: no other host of the domain can set it. Browsers take it over TLS alone. */
const HOST_PREFIX = '__Host-'

const SESSION = { name: 'studio_session', path: '/console', sameSite: 'Strict', maxAge: 7 * 24 * 3600 }
/** It ends with the invitation that it is of. */
const PORTAL = { name: 'studio_portal', path: '/portal', sameSite: 'Strict', maxAge: 366 * 24 * 3600 }
/** The provider leads the browser back from another site, with which browsers send no strict cookie. */
const ATTEMPT = { name: 'studio_sign_in', path: '/console/oidc', sameSite: 'Lax', maxAge: 600 }

/**
 * Whether a cookie counts only if this host has set it. At an address that is known to be reached over TLS, one without the prefix may come
 * from another host of the domain.
 */
interface CookieOptions {
  isSecure: boolean
}

/** The secret of the session; null if the request has no cookie, or one of another form. */
export function readSessionCookie(headers: IncomingHttpHeaders, { isSecure }: CookieOptions): string | null {
  const secret = readCookie(headers, SESSION.name, isSecure)
  return /^studio_ses_[0-9A-Za-z]{36}$/.test(secret) ? secret : null
}

/** As long as browsers keep one. A screen gets it again with each page. */
const SCREEN = { ...SESSION, maxAge: 400 * 24 * 3600 }

/** The session itself decides when it ends. */
export function formatSessionCookie(
  secret: string,
  { isSecure, isScreen }: CookieOptions & { isScreen: boolean },
): string {
  return formatCookie(isScreen ? SCREEN : SESSION, secret, isSecure)
}

/** To be set together: a browser has one of them. */
export const EXPIRED_COOKIES = [false, true].map((isSecure) => formatCookie({ ...SESSION, maxAge: 0 }, '', isSecure))

/** The same for the portal of the carriers, whose cookie means nothing to the console. */
export function readPortalCookie(headers: IncomingHttpHeaders, { isSecure }: CookieOptions): string | null {
  const secret = readCookie(headers, PORTAL.name, isSecure)
  return /^studio_por_[0-9A-Za-z]{36}$/.test(secret) ? secret : null
}

export function formatPortalCookie(secret: string, { isSecure }: CookieOptions): string {
  return formatCookie(PORTAL, secret, isSecure)
}

export const EXPIRED_PORTAL_COOKIES = [false, true].map((isSecure) =>
  formatCookie({ ...PORTAL, maxAge: 0 }, '', isSecure),
)

/** The secret of a sign-in that is under way at the provider. */
export function readAttemptCookie(headers: IncomingHttpHeaders, { isSecure }: CookieOptions): string | null {
  const secret = readCookie(headers, ATTEMPT.name, isSecure)
  return /^[0-9A-Za-z]{40}$/.test(secret) ? secret : null
}

export function formatAttemptCookie(secret: string, { isSecure }: CookieOptions): string {
  return formatCookie(ATTEMPT, secret, isSecure)
}

export function expireAttemptCookie({ isSecure }: CookieOptions): string {
  return formatCookie({ ...ATTEMPT, maxAge: 0 }, '', isSecure)
}

function readCookie({ cookie }: IncomingHttpHeaders, name: string, isSecure: boolean): string {
  const parts = (cookie ?? '').split(';').map((part) => part.trim())
  for (const known of [`${HOST_PREFIX}${name}=`, ...(isSecure ? [] : [`${name}=`])]) {
    const found = parts.find((part) => part.startsWith(known))
    if (found !== undefined) return found.slice(known.length)
  }
  return ''
}

function formatCookie({ name, path, sameSite, maxAge }: typeof SESSION, value: string, isSecure: boolean): string {
  const rest = `HttpOnly; SameSite=${sameSite}; Max-Age=${maxAge}`
  return isSecure
    ? `${HOST_PREFIX}${name}=${value}; Path=/; Secure; ${rest}`
    : `${name}=${value}; Path=${path}; ${rest}`
}
