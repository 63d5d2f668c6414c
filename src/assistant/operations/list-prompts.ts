import * as z from 'zod'
import { type Context, operation } from '../../kernel'
import { Prompt } from '../schemas'
import { listTemplates, presentPrompt, type TemplatesContext } from '../services/prompt-templates'

export const listPrompts = operation({
  id: 'prompts.list',
  summary: 'List the prompt templates',
  description:
    'Lists the built-in templates and your own. Your own are files named `<name>.md` in the folder prompts next to the settings; one with the name of a built-in template replaces it.',
  effect: 'read',
  access: 'workspace',
  input: z.strictObject({}),
  output: z.array(Prompt),
  errors: [],
  http: { method: 'get', path: '/api/prompts' },
  listOrder: () => ({ id: ({ id }) => id }),
  cli: {
    command: 'prompt list',
    examples: ['studio prompt list', 'studio prompt list --json --fields id,target'],
    seeAlso: ['prompt get', 'draft refine'],
  },
  async run(ctx: Context & TemplatesContext) {
    return (await listTemplates(ctx)).map(presentPrompt)
  },
})
