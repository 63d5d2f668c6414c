import type { Context } from '../../kernel'
import type { StorageContext } from '../../storage'
import type { ModelContext } from './model'
import type { TemplatesContext } from './prompt-templates'

/** What the operations of the assistant need. */
export interface AssistantContext extends Context, StorageContext, ModelContext, TemplatesContext {
  /** The author of saved drafts; null if no user is configured. */
  user: string | null
}
