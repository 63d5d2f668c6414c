import type { Target } from '../prompts/template'
import type { Refinement } from './form'
import { withSection } from './section'

/** The texts of a draft that a refinement can change. */
export interface DraftTexts {
  title: string
  description: string | null
  acceptanceCriteria: string | null
}

export type DraftField = keyof DraftTexts

/** One text of a draft before and after. */
export interface TextChange {
  field: DraftField
  before: string | null
  after: string
}

const sections = { 'test-cases': 'Test cases', diagram: 'Diagram', summary: 'Summary' } as const

/** What a refinement changes in a draft: the target alone decides which field. A text that would stay as it is is no change. */
export function applyRefinement(draft: DraftTexts, target: Target, { title, markdown }: Refinement): TextChange[] {
  const after: Partial<Record<DraftField, string>> =
    target === 'acceptance-criteria'
      ? { acceptanceCriteria: markdown }
      : target === 'story'
        ? { ...(title === null ? {} : { title }), description: markdown }
        : { description: withSection(draft.description, sections[target], markdown) }
  return (Object.entries(after) as [DraftField, string][])
    .filter(([field, text]) => text !== draft[field])
    .map(([field, text]) => ({ field, before: draft[field], after: text }))
}
