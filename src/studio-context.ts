import type { ModelContext, TemplatesContext } from './assistant'
import type { Settings } from './config'
import type { Context, Hint } from './kernel'
import type { SearchContext } from './search'
import type { Checkup, StorageLocationsContext } from './storage'
import type { TrackerContext } from './tracker'

/** Everything that an operation of any module can use. */
export interface StudioContext
  extends Context,
    StorageLocationsContext,
    TrackerContext,
    SearchContext,
    ModelContext,
    TemplatesContext {
  /** The name that `@me` means; null if it is not set. */
  user: string | null
  /** Optional kinds of data that sanitizing also removes. */
  sanitizeAlso: Settings['sanitizeAlso']
  formatHint(hint: Hint): Promise<string>
  /** The checks of `studio doctor`. */
  checkups: readonly Checkup[]
}
