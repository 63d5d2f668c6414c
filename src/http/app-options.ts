import type { Log } from '../kernel'
import type { Studio } from '../studio'
import type { AnswerTurns } from './answers/answer-turns'
import type { ResponseCache } from './answers/response-cache'
import type { Caller } from './caller'
import type { CallerLimits } from './caller-limits'
import type { OpenStreams } from './connections/open-streams'

/** What the routes are made from. */
export interface AppOptions {
  studio: Studio
  caller: Caller
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
