import * as z from 'zod'
import { operation } from '../../kernel'
import { ModelName } from '../schemas'
import { MODEL_ERRORS, type ModelContext } from '../services/model'
import { MAX_ANSWER_MS } from '../services/timeouts'

export const loadModel = operation({
  id: 'llm.load',
  summary: 'Load a language model, so that its next answer begins without delay',
  effect: 'read',
  access: 'workspace',
  isExpensive: true,
  input: z.strictObject({ model: ModelName.nullish() }),
  output: z.object({
    model: z.string(),
    contextTokens: z.int().nullable().describe('Maximum number of tokens of prompt and answer together'),
    durationMs: z.int(),
  }),
  errors: [...MODEL_ERRORS],
  http: { method: 'post', path: '/api/llm/load', extension: true, withinMs: MAX_ANSWER_MS },
  async run(ctx: ModelContext, { model }) {
    const startedAt = ctx.clock.now()
    const server = await ctx.model()
    ctx.progress({ label: 'loading the language model' })
    return { ...(await server.load(model ?? null, ctx.signal)), durationMs: ctx.clock.now() - startedAt }
  },
})
