import * as z from 'zod'
import { type Context, operation } from '../../kernel'
import type { StorageContext } from '../../storage'
import { Instant, ItemId } from '../../workspace'
import { briefingText } from '../rules/briefing-text'
import { figuresOf } from '../rules/figures'
import { Figures } from '../schemas'
import { itemsWith } from './reported-items'

const MOST_FEATURES = 1000

export const generateBriefing = operation({
  id: 'reports.briefing',
  summary: 'Write a status briefing to forward',
  description:
    'The text is Markdown and a pure function of the cached items: the same workspace gives the same bytes. The field ' +
    'basis holds every figure that it is made from, and the rules behind them.',
  effect: 'read',
  access: 'workspace',
  input: z.strictObject({
    mode: z
      .enum(['auto', 'deterministic'])
      .default('auto')
      .describe('How the text is made; auto gives the deterministic text, and says so'),
    model: z.string().nullable().default(null).describe('Takes no part in the deterministic text'),
    featureIds: z
      .array(ItemId)
      .max(MOST_FEATURES)
      .default([])
      .describe(
        'Only these features, or other items, with what is below them; the whole workspace where none is given',
      ),
  }),
  output: z.object({
    mode: z.enum(['deterministic']).describe('How the text was made'),
    model: z.string().nullable().describe('The language model that wrote it; null where none did'),
    notice: z.string().nullable().describe('What a reader should know of how it was made'),
    markdown: z.string(),
    generatedAt: Instant,
    basis: Figures.describe('The figures that the text is made from'),
  }),
  errors: ['not_found'],
  http: { method: 'post', path: '/api/reporting/generate-briefing' },
  cli: {
    command: 'brief',
    flags: { model: false, featureIds: { name: 'feature', value: 'id' } },
    examples: ['studio brief', 'studio brief --feature 101', 'studio brief --json --fields markdown'],
    out: { about: 'write the text into this file instead' },
    seeAlso: ['report summary', 'import'],
  },
  async run(ctx: Context & StorageContext, { mode, featureIds }) {
    const basis = figuresOf(await itemsWith(ctx, featureIds, 'featureIds'), featureIds)
    return {
      mode: 'deterministic' as const,
      model: null,
      notice: mode === 'auto' ? 'No language model took part: this is the deterministic text.' : null,
      markdown: briefingText(basis),
      generatedAt: new Date(ctx.clock.now()).toISOString(),
      basis,
    }
  },
})
