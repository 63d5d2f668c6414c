import * as z from 'zod'
import { operation } from '../../kernel'
import { askForMarkdown } from '../rules/answers/answer-forms'
import { boundaryRule, createBoundary } from '../rules/prompts/boundary'
import { fillTemplate, targets } from '../rules/prompts/template'
import { storyText } from '../rules/story'
import { ItemOfStory, PromptId, StoryId, Variables } from '../schemas'
import type { AssistantContext } from '../services/assistant-context'
import { loadStory } from '../services/load-story'
import { findTemplate, requireTemplateInput } from '../services/prompt-templates'

export const fillPrompt = operation({
  id: 'prompts.fill',
  summary: 'Write out a prompt template for a draft or a work item',
  description:
    'For a language model of your own choice: nothing is asked of the one in the settings. The texts of the draft or the work item are ' +
    'between marks, and the text says that instructions in them are not to be followed.',
  effect: 'read',
  access: 'workspace',
  input: z.strictObject({
    id: PromptId,
    storyId: StoryId.nullish().describe('Draft to put into the prompt'),
    itemId: ItemOfStory.nullish().describe('Cached work item to put into the prompt'),
    variables: Variables.default({}),
  }),
  output: z.object({
    id: z.string(),
    name: z.string(),
    target: z.enum(targets).describe('What the answer is, and so where it goes in a draft'),
    text: z.string().describe('The whole prompt'),
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
    const boundary = createBoundary(ctx, [story && storyText(story), template.template, ...Object.values(variables)])
    const rule = story === null ? [] : [boundaryRule(boundary)]
    const filled = fillTemplate(template, { story, variables, boundary })
    const text = [...rule, filled, askForMarkdown(template.target)].join('\n\n')
    return { id, name: template.name, target: template.target, text }
  },
})
