import type { StudioError } from '../kernel'
import { dockKeyHint } from '../kernel'

/** What the header WWW-Authenticate of a 401 says there: no bearer token opens the dock API. */
export const DOCK_CHALLENGE = 'ApiKey realm="studio docks", header="X-API-Key"'

export function isDockPath(path: string): boolean {
  return /^\/api\/(?:appointments|facilities)(?:\/|$)/.test(path)
}

/** Every 401 of the dock API names the header that a caller has to send, also where another credential was refused. */
export function withDockHeader(error: StudioError): StudioError {
  if (`${error.message} ${JSON.stringify(error.hint)}`.includes('X-API-Key')) return error
  return error.copyWith({ hint: dockKeyHint })
}
