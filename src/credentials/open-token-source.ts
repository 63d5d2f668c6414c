import type { LoginStore } from './login'
import { readTokenFromLogin } from './login-token'
import type { ProxySettings } from './proxy-dispatcher'
import { createProxyFetch } from './proxy-fetch'
import { type CommandOwner, readTokenFromCommand } from './token-command'
import { fixedToken, type TokenSource } from './token-source'

export interface TokenSettings extends CommandOwner {
  /** Comes first; null for none. */
  token: string | null
  /** Comes second; null for none. */
  login?: LoginStore | null
  /** For the requests of a sign-in to its provider. */
  proxy?: ProxySettings | null
  /** The command that signs in. */
  loginCommand?: string
  /** A command that prints a token; null for none. */
  tokenCommand: string | null
  now(): number
}

/** The token of the settings, or of a sign-in, or that of a command; null if they have none. */
export function openTokenSource({
  token,
  login,
  proxy,
  loginCommand = 'studio login',
  tokenCommand,
  ...owner
}: TokenSettings): TokenSource | null {
  if (token) return fixedToken(token)
  if (login) return readTokenFromLogin(login, { ...owner, loginCommand, fetch: createProxyFetch(proxy ?? null) })
  return tokenCommand ? readTokenFromCommand(tokenCommand, owner) : null
}
