import * as z from 'zod'
import { operation } from '../../kernel'
import { MODEL_ERRORS, type ModelContext } from '../services/model'

export const listModels = operation({
  id: 'llm.models',
  summary: 'List the language models that are installed',
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
      loaded: z.boolean().nullable().describe('In memory; null where the server does not say'),
      contextTokens: z.int().nullable().describe('Most tokens of prompt and answer together, where the server says'),
      isDefault: z.boolean().describe('The one that answers where a call names none'),
    }),
  ),
  errors: [...MODEL_ERRORS],
  http: { method: 'get', path: '/api/llm/models' },
  // In the order of the server, which nothing in a model shows.
  listOrder: () => ({ id: ({ name }) => name }),
  cli: {
    command: 'llm models',
    examples: ['studio llm models', 'studio llm models --json --fields name'],
    seeAlso: ['llm chat', 'prompt list'],
  },
  async run(ctx: ModelContext) {
    const model = await ctx.model()
    const installed = await model.models(ctx.signal)
    const chosen = model.defaultOf(installed)
    return installed.map(({ answers: _, ...facts }) => ({ ...facts, isDefault: facts.name === chosen?.name }))
  },
})
