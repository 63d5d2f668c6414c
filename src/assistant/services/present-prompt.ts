import type * as z from 'zod'
import { variablesOf } from '../rules/prompts/template'
import type { Prompt } from '../schemas'
import type { KnownTemplate } from './prompt-templates'

export function presentPrompt(template: KnownTemplate): z.infer<typeof Prompt> {
  const { id, name, description, target, own } = template
  return { id, name, description, target, template: template.template, variables: variablesOf(template), own }
}
