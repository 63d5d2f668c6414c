export { applyRefinement, type DraftTexts, type TextChange } from './rules/answers/apply-refinement'
export { parseMarkdownAnswer } from './rules/answers/parse-markdown-answer'
export { type Boundary, boundaryRule, markMaterial } from './rules/prompts/boundary'
export { isStoryVariable, missingVariables, type Target, targets, variablesOf } from './rules/prompts/template'
export type { AssistantContext } from './services/assistant-context'
export { MAX_ANSWER_MS } from './services/limits'
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

/** The language model that the settings name; its client is loaded by the first who asks for it. */
export async function openModel(
  settings: import('./services/open-model').ModelSettings,
): Promise<import('./services/model').Model> {
  return (await import('./services/open-model')).openModel(settings)
}

/** What a check-up says of it. */
export async function inspectModel(
  check: import('./services/inspect-model').ModelCheck,
): Promise<import('../storage').Finding[]> {
  return (await import('./services/inspect-model')).inspectModel(check)
}
