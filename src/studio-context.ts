import type { ModelContext, TemplatesContext } from './assistant'
import type { Settings } from './config'
import type { WebhookContext } from './docks'
import type { LocalFilesContext, SyncMemory } from './items'
import type { Context, Hint } from './kernel'
import type { SearchContext } from './search'
import type { Checkup, StorageLocationsContext } from './storage'
import type { TrackerContext } from './tracker'

/** Everything that an operation of any module can use. */
export interface StudioContext
  extends Context,
    StorageLocationsContext,
    TrackerContext,
    LocalFilesContext,
    SearchContext,
    ModelContext,
    TemplatesContext,
    WebhookContext {
  /** The name that `@me` means; null if it is not set. */
  user: string | null
  /** Optional kinds of data that sanitizing also removes. */
  sanitizeAlso: Settings['sanitizeAlso']
  /** What callers called items that were not cached, by ID. */
  givenReferences: Map<number, string>
  /** Says something about the result that is no part of it. The same text may come twice, because a transaction can be repeated. */
  notice(text: Hint): void
  formatHint(hint: Hint): Promise<string>
  syncMemory: SyncMemory
  /** Where others reach the service; null if the settings do not say it. */
  findPublicUrl(): string | null
  /** The checks of `studio doctor`. */
  checkups: readonly Checkup[]
}
