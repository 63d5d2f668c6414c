import { StudioError } from '../kernel/errors'
import { AbortableMemo } from '../kernel/work/abortable-memo'
import { refreshLogin } from './device-login'
import type { Login, LoginStore } from './login'
import type { ProxyFetch } from './proxy-fetch'
import type { CommandOwner } from './token-command'
import { isFresh, type TokenSource } from './token-source'

interface LoginOptions extends Pick<CommandOwner, 'code'> {
  now(): number
  /** The command that signs in. */
  loginCommand: string
  /** For requests to the provider. */
  fetch: ProxyFetch
}

/**
 * The token of a sign-in. It is replaced when it has expired, and once when the server rejects it. Of several processes one replaces it, and
 * the others take that one, because a provider may accept each refresh token once.
 */
export function readTokenFromLogin(store: LoginStore, { now, code, loginCommand, fetch }: LoginOptions): TokenSource {
  let current: Login | null = null
  const isUsable = (login: Login, rejected: string | null) =>
    login.accessToken !== null && login.accessToken !== rejected && isFresh(login.expiresAt, now())
  const replace = (rejected: string | null) =>
    new AbortableMemo(async () => {
      // Not aborted when its callers leave: the provider may have replaced the refresh token, and the new one must be stored.
      const { signal } = new AbortController()
      const changed = await store.update(async (stored) =>
        isUsable(stored, rejected) ? stored : refreshLogin(stored, { now, code, loginCommand, fetch, signal }),
      )
      if (changed === null) throw createEndedError(code, loginCommand)
      return changed
    })
  let replacing: AbortableMemo<Login> | null = null
  const get = async (rejected: string | null, signal: AbortSignal): Promise<string> => {
    current ??= await store.read()
    if (current === null) throw createEndedError(code, loginCommand)
    if (!isUsable(current, rejected)) {
      // Calls at the same time share one replacement.
      replacing ??= replace(rejected)
      try {
        current = await replacing.get(signal)
      } finally {
        replacing = null
      }
    }
    return current.accessToken!
  }
  return {
    read: (signal) => get(null, signal),
    async renew(rejected, signal) {
      // Somebody may have signed in again, or another process has replaced the token.
      current = await store.read()
      if (current === null || (current.refreshToken === null && current.accessToken === rejected)) return null
      const token = await get(rejected, signal)
      return token === rejected ? null : token
    },
    advice: `Sign in again: ${loginCommand}`,
  }
}

function createEndedError(code: CommandOwner['code'], loginCommand: string): StudioError {
  return new StudioError(code, 'You are not signed in to the tracker any more.', { hint: `Sign in: ${loginCommand}` })
}
