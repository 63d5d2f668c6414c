import type { MailLinks, People } from '../access'
import type { Log } from '../kernel'
import type { Studio } from '../studio'
import type { AnswerTurns } from './answers/answer-turns'
import type { ResponseCache } from './answers/response-cache'
import type { Caller } from './callers/caller'
import type { CallerLimits } from './callers/caller-limits'
import type { GateCaller } from './callers/gate-caller'
import type { PortalCaller } from './callers/portal-caller'
import type { OpenStreams } from './connections/open-streams'

/** What the routes are made from. */
export interface AppOptions {
  studio: Studio
  caller: Caller
  /** The people of an identity provider, who may sign in to the console; null if none is set. */
  people: People | null
  /** Sends people links to sign in; null without a mail server or the address of the service. */
  mailLinks: MailLinks | null
  /** The carriers that were invited to the portal. */
  portal: PortalCaller
  /** Drivers who check in with a link. */
  gate: GateCaller
  cache: ResponseCache
  limits: CallerLimits
  turns: AnswerTurns
  streams: OpenStreams
  version: string
  /** Who is let in, as sentences. */
  accessSummary: readonly string[]
  /** Aborted when the server begins to stop: streams that would go on end then. */
  draining: AbortSignal
  /** Aborted when it has waited long enough for the calls in progress. */
  stopping: AbortSignal
  log: Log
}
