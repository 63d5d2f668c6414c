import { isLoopbackHost } from './loopback'

/**
 * Where others reach the service: `https://studio.example.com`. Null for an address that is no such one: with a path, or without encryption on
 * the way to another machine, on which everyone could read the secrets that are sent.
 */
export function parseServiceAddress(text: string): string | null {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || `${url.pathname}${url.search}${url.hash}${url.username}${url.password}` !== '/') return null
  const isSafe = url.protocol === 'https:' || (url.protocol === 'http:' && isLoopbackHost(url.hostname))
  return isSafe ? url.origin : null
}

/** What is wrong with an address that is not one. */
export const SERVICE_ADDRESS_RULE = 'must be an https address without a path'
