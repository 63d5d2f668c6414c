import type { Context } from '../../kernel'
import type { StorageContext } from '../../storage'
import type { ModelContext } from './model'
import type { TemplatesContext } from './prompt-templates'

/** What the assistant's operations ask for. */
export interface AssistantContext extends Context, StorageContext, ModelContext, TemplatesContext {
  /** Who saves a draft; null when nobody said. */
  user: string | null
}
