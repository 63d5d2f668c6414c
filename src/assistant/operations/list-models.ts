import * as z from 'zod'
import { operation } from '../../kernel'
import { ListedModel } from '../schemas'
import { MODEL_ERRORS, type ModelContext } from '../services/model'

export const listModels = operation({
  id: 'llm.models',
  summary: 'List the installed language models',
  effect: 'read',
  access: 'workspace',
  input: z.strictObject({}),
  output: z.array(
    ListedModel.extend({ isDefault: z.boolean().describe('Whether it answers calls that name no model') }),
  ),
  errors: [...MODEL_ERRORS],
  http: { method: 'get', path: '/api/llm/models' },
  // The order is that of the server, so a page can only continue after an ID.
  listOrder: () => ({ id: ({ name }) => name }),
  cli: {
    command: 'llm models',
    examples: ['studio llm models', 'studio llm models --json --fields name'],
    seeAlso: ['llm chat', 'prompt list'],
  },
  async run(ctx: ModelContext) {
    const model = await ctx.model()
    const installed = await model.listModels(ctx.signal)
    const chosen = model.selectDefault(installed)
    return installed.map(({ canAnswer: _, ...facts }) => ({ ...facts, isDefault: facts.name === chosen?.name }))
  },
})
