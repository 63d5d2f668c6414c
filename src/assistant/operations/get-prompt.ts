import * as z from 'zod'
import { type Context, operation } from '../../kernel'
import { Prompt, PromptId } from '../schemas'
import { findTemplate, presentPrompt, type TemplatesContext } from '../services/prompt-templates'

export const getPrompt = operation({
  id: 'prompts.get',
  summary: 'Show a prompt template',
  effect: 'read',
  access: 'workspace',
  input: z.strictObject({ id: PromptId.describe('Name of the prompt template') }),
  output: Prompt,
  errors: ['not_found'],
  http: { method: 'get', path: '/api/prompts/{id}', extension: true },
  cli: {
    command: 'prompt get',
    args: ['id'],
    argumentNames: { id: 'name' },
    examples: ['studio prompt get story', 'studio prompt get diagram --json --fields template'],
    seeAlso: ['prompt list', 'draft refine'],
  },
  run: async (ctx: Context & TemplatesContext, { id }) => presentPrompt(await findTemplate(ctx, id)),
})
