import { isBeingWritten } from '../../storage'
import type { ManifestVersion } from './index-folder'

/** A writer updates the index within milliseconds of its commit, within seconds on a busy machine. One that takes longer may keep no index. */
const MAX_UPDATE_MS = 10_000

/** Tells whether an index that lags behind the log of its database is about to be updated by the writer of that log. */
export class PendingUpdate {
  readonly #database: string
  #stamp = ''
  #since = 0

  /** @param database the path of its file. */
  constructor(database: string) {
    this.#database = database
  }

  /** @param base the state of the index that lags. Each update makes a new one. */
  isExpected({ manifest, stamp }: ManifestVersion): boolean {
    if (!manifest?.position || !isBeingWritten(this.#database)) return false
    if (stamp !== this.#stamp) [this.#stamp, this.#since] = [stamp, performance.now()]
    return performance.now() - this.#since < MAX_UPDATE_MS
  }
}
