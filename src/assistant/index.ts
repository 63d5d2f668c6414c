export { applyRefinement, type DraftTexts, type TextChange } from './rules/answers/apply-refinement'
export { parseMarkdownAnswer } from './rules/answers/parse-markdown-answer'
export { type Boundary, formatBoundaryRule, markMaterial, removeMarks } from './rules/prompts/boundary'
export {
  findMissingVariables,
  listVariables,
  type Target,
  targets,
} from './rules/prompts/template'
export { isStoryVariable } from './rules/story'
export type { AssistantContext } from './services/assistant-context'
export {
  type ChatRequest,
  type InstalledModel,
  type Message,
  MODEL_ERRORS,
  type Model,
  type ModelAnswer,
  type ModelContext,
  type ModelPart,
} from './services/model'
export type { ModelSettings } from './services/open-model'
export type { TemplatesContext } from './services/prompt-templates'
export { MAX_ANSWER_MS } from './services/timeouts'

/** Opens the language model of the settings. Its client is loaded when it is needed. */
export async function openModel(
  settings: import('./services/open-model').ModelSettings,
): Promise<import('./services/model').Model> {
  return (await import('./services/open-model')).openModel(settings)
}

export async function inspectModel(
  check: import('./services/inspect-model').ModelCheck,
): Promise<import('../storage').Finding[]> {
  return (await import('./services/inspect-model')).inspectModel(check)
}
