import type { WorkspaceContext } from '../../items'
import type { ModelContext } from './model'
import type { TemplatesContext } from './prompt-templates'

/** What the operations of the assistant need. */
export interface AssistantContext extends WorkspaceContext, ModelContext, TemplatesContext {}
