/** What is not sent to an address that only a project's file names, and what to do about it. */
export interface Withheld {
  reason: string
  hint: string
}

/**
 * Which address is asked, and whether it gets the token. The token is the user's own, and a project's file comes with a repository
 * that somebody else may have written: an address that stands there alone does not get it.
 */
export function resolveTrackerAccess(given: {
  token: string | null
  /** What the user has kept for an address; asked where no variable holds a token. */
  kept(address: string): string | null
  /** What the user has set: in the environment, or in the user's own file. */
  own: string | null
  isOwnFirst: boolean
  ofProject: string | null
  projectFile: string | null
}): { url: string | null; token: string | null; withheld: Withheld | null } {
  const { token, own, ofProject } = given
  const url = given.isOwnFirst ? own : (ofProject ?? own)
  const isOwn = url === null || (own !== null && stripCredentials(url) === stripCredentials(own))
  if (token === null) return { url, token: url === null ? null : given.kept(stripCredentials(url)), withheld: null }
  if (isOwn) return { url, token, withheld: null }
  return {
    url,
    token: null,
    withheld: {
      reason: `STUDIO_TRACKER_TOKEN is not sent to ${stripCredentials(url)}: only ${given.projectFile} names that address.`,
      hint: `If you trust it, set it yourself: export STUDIO_TRACKER_URL=${stripCredentials(url)}`,
    },
  }
}

export const DEFAULT_LLM_HOST = 'http://127.0.0.1:11434'

/** A model is sent whole stories: a server elsewhere that a project's file names alone does not get them. */
export function resolveLlmAccess(given: { own: string; ofProject: string | null; projectFile: string | null }): {
  host: string
  withheld: Withheld | null
} {
  const { own, ofProject } = given
  const host = ofProject ?? own
  if (ofProject === null || stripCredentials(host) === stripCredentials(own) || isThisMachine(host))
    return { host, withheld: null }
  return {
    host,
    withheld: {
      reason: `Nothing is sent to the language model at ${stripCredentials(host)}: only ${given.projectFile} names that address.`,
      hint: `If you trust it, set it yourself: export STUDIO_LLM_HOST=${stripCredentials(host)}`,
    },
  }
}

function isThisMachine(url: string): boolean {
  const { hostname } = new URL(url)
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname)
}

/** The address without credentials, query and trailing slash: safe to show, and a stable key. */
export function stripCredentials(url: string): string {
  const { origin, pathname } = new URL(url)
  return `${origin}${pathname.replace(/(?<!\/)\/+$/, '')}`
}
