export type { AssistantContext } from './context'
export { ANSWER_WITHIN_MS } from './limits'
export {
  type ChatRequest,
  type InstalledModel,
  type Message,
  MODEL_ERRORS,
  type Model,
  type ModelAnswer,
  type ModelContext,
  type ModelPart,
} from './model'
export type { ModelSettings } from './open-model'
export { refinementFromMarkdown } from './rules/answers/from-markdown'
export { type DraftTexts, placeIn, type TextChange } from './rules/answers/place'
export { type Boundary, boundaryRule, markOff } from './rules/prompts/boundary'
export { isStoryVariable, missingVariables, type Target, targets, variablesOf } from './rules/prompts/template'
export type { TemplatesContext } from './template-folder'

/** The language model that the settings name; its client is loaded by the first who asks for it. */
export async function openModel(settings: import('./open-model').ModelSettings): Promise<import('./model').Model> {
  return (await import('./open-model')).openModel(settings)
}

/** What a check-up says of it. */
export async function inspectModel(
  check: import('./inspect-model').ModelCheck,
): Promise<import('../storage').Finding[]> {
  return (await import('./inspect-model')).inspectModel(check)
}
