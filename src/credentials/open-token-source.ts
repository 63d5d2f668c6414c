import { type CommandOwner, readTokenFromCommand } from './token-command'
import { fixedToken, type TokenSource } from './token-source'

export interface TokenSettings extends CommandOwner {
  /** Comes before the command; null for none. */
  token: string | null
  /** A command that prints a token; null for none. */
  tokenCommand: string | null
  now(): number
}

/** The token of the settings, or that of their command; null if they have neither. */
export function openTokenSource({ token, tokenCommand, ...owner }: TokenSettings): TokenSource | null {
  if (token) return fixedToken(token)
  return tokenCommand ? readTokenFromCommand(tokenCommand, owner) : null
}
