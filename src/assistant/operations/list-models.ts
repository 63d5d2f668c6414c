import * as z from 'zod'
import { operation } from '../../kernel'
import { MODEL_ERRORS, type ModelContext } from '../services/model'

export const listModels = operation({
  id: 'llm.models',
  summary: 'List the installed language models',
  effect: 'read',
  access: 'workspace',
  input: z.strictObject({}),
  output: z.array(
    z.object({
      name: z.string(),
      sizeBytes: z.int().nullable(),
      parameterSize: z.string().nullable(),
      quantization: z.string().nullable(),
      modifiedAt: z.string().nullable(),
      loaded: z.boolean().nullable().describe('Whether it is in memory; null if the server does not report it'),
      contextTokens: z
        .int()
        .nullable()
        .describe('Maximum number of tokens of prompt and answer together; null if the server does not report it'),
      isDefault: z.boolean().describe('Whether it answers calls that name no model'),
    }),
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
