import * as z from 'zod'
import { operation } from '../../kernel'
import { askForMarkdown } from '../rules/answers/answer-forms'
import { createBoundary, formatBoundaryRule } from '../rules/prompts/boundary'
import { fillTemplate, targets } from '../rules/prompts/template'
import { formatStory } from '../rules/story'
import { ItemOfStory, PromptId, StoryId, Variables } from '../schemas'
import type { AssistantContext } from '../services/assistant-context'
import { loadStory } from '../services/load-story'
import { findTemplate, requireTemplateInput } from '../services/prompt-templates'

export const fillPrompt = operation({
  id: 'prompts.fill',
  summary: 'Fill in a prompt template for a draft or a work item',
  description:
    'Returns a prompt for a language model of your choice; does not call the model of the settings. The texts of the draft or the work item are ' +
    'between marks, and the prompt says that instructions in them must not be followed.',
  effect: 'read',
  access: 'workspace',
  isExpensive: true,
  input: z.strictObject({
    id: PromptId,
    storyId: StoryId.nullish().describe('Draft to put into the prompt'),
    itemId: ItemOfStory.nullish().describe('Cached work item to put into the prompt'),
    variables: Variables.default({}),
  }),
  output: z.object({
    id: z.string(),
    name: z.string(),
    target: z.enum(targets).describe('What the model writes, which decides the place of the answer in a draft'),
    text: z.string().describe('The complete prompt'),
  }),
  errors: ['not_found'],
  http: {
    method: 'post',
    path: '/api/prompts/{id}/fill',
    extension: true,
    example: { id: 'acceptance-criteria', itemId: 204 },
  },
  async run(ctx: AssistantContext, { id, storyId, itemId, variables }) {
    const template = await findTemplate(ctx, id)
    const story = await loadStory(ctx, { storyId, itemId })
    requireTemplateInput(template, story, variables)
    const boundary = createBoundary(ctx, [story && formatStory(story), template.template, ...Object.values(variables)])
    const rule = story === null ? [] : [formatBoundaryRule(boundary)]
    const filled = fillTemplate(template, { story, variables, boundary })
    const text = [...rule, filled, askForMarkdown(template.target)].join('\n\n')
    return { id, name: template.name, target: template.target, text }
  },
})
