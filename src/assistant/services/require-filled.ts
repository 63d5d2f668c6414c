import { StudioError } from '../../kernel'
import { missingVariables, type Template, usesStory } from '../rules/prompts/template'
import type { Story } from '../rules/story'

/** Throws `invalid` where the template needs what was not given. */
export function requireTemplateInput(template: Template, story: Story | null, variables: Record<string, string>): void {
  if (story === null && usesStory(template)) {
    throw new StudioError('invalid', `The prompt ${template.id} needs a story.`, {
      hint: 'Name a draft (storyId) or a cached work item (itemId).',
    })
  }
  const missing = missingVariables(template, variables)
  if (missing.length === 0) return
  throw new StudioError('invalid', `The prompt ${template.id} needs a value for ${missing.join(', ')}.`, {
    hint: `Give it as a variable; on the command line: ${missing.map((name) => `--set ${name}=…`).join(' ')}`,
    details: missing.map((name) => ({ path: `variables.${name}`, message: 'is required by the prompt' })),
  })
}
