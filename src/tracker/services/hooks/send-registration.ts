import { StudioError } from '../../../kernel'
import type { HttpRequest } from '../requests/http-client'
import type { RetryingClient } from '../requests/retrying-client'

/** The webhook that was registered for an address before, whatever its parameters; null if there is none. */
export function findRegistered<Hook>(
  hooks: readonly Hook[],
  url: string,
  urlOf: (hook: Hook) => string | null | undefined,
): Hook | null {
  const plain = (address: string) => address.split('?')[0]!.toLowerCase()
  return hooks.find((hook) => plain(urlOf(hook) ?? '') === plain(url)) ?? null
}

/** A tracker answered a registration with a status that says that it will not do it. */
export class RegistrationError extends StudioError {
  constructor(
    cause: StudioError,
    readonly status: number,
  ) {
    super(cause.code, cause.message, {
      hint: 'To manage webhooks, the token needs the rights of an administrator. You can also enter the webhook by hand, as shown without --register.',
      cause,
    })
  }
}

/** Sends a change of a webhook. It can be sent again, because the next call finds what this one made. */
export async function sendRegistration(
  client: RetryingClient,
  request: HttpRequest,
  signal: AbortSignal,
): Promise<unknown> {
  const { response, error } = await client.write(request, signal)
  if (error === null) return response.json
  throw response === null ? error : new RegistrationError(error, response.status)
}
