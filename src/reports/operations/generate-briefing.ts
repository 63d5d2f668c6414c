import * as z from 'zod'
import { ANSWER_WITHIN_MS, MODEL_ERRORS, type ModelContext } from '../../assistant'
import { Instant, ItemId } from '../../items'
import { operation } from '../../kernel'
import type { StorageContext } from '../../storage'
import { figuresOf } from '../rules/figures'
import { Figures } from '../schemas'
import { loadWork } from '../services/load'
import { writeBriefing } from '../services/write-briefing'

const MOST_FEATURES = 1000
const LONGEST_NAME = 200

export const generateBriefing = operation({
  id: 'reports.briefing',
  summary: 'Write a status briefing to forward',
  description:
    'The deterministic text is Markdown and a pure function of the cached items: the same workspace gives the same bytes. A language ' +
    'model writes from that text alone, and every figure of its answer is checked: warnings names those that the basis does not hold. ' +
    'The field basis holds every figure, and the rules behind them.',
  effect: 'read',
  access: 'workspace',
  input: z.strictObject({
    mode: z
      .enum(['auto', 'ai', 'deterministic'])
      .default('auto')
      .describe('Who writes it: auto takes the language model where it answers, else fixed rules, and says which'),
    model: z
      .string()
      .min(1)
      .max(LONGEST_NAME)
      .nullable()
      .default(null)
      .describe('Language model; where none is named the one of the settings, else the first installed'),
    featureIds: z
      .array(ItemId)
      .max(MOST_FEATURES)
      .default([])
      .describe(
        'Only these features, or other items, with what is below them; the whole workspace where none is given',
      ),
    since: z.iso
      .date()
      .nullable()
      .default(null)
      .describe('Date of the last briefing (YYYY-MM-DD, UTC): what changed since then; null is 14 days back'),
    explain: z.boolean().default(false).describe('Add how the figures are made'),
  }),
  output: z.object({
    mode: z.enum(['ai', 'deterministic']).describe('Who wrote the text'),
    model: z.string().nullable().describe('The language model that wrote it; null where none did'),
    notice: z.string().nullable().describe('What a reader should know of how it was made'),
    warnings: z.array(z.string()).describe('Figures of an AI text that are not in the basis; check them before use'),
    markdown: z.string(),
    generatedAt: Instant,
    basis: Figures.describe('The figures that the text is made from'),
  }),
  errors: ['not_found', ...MODEL_ERRORS],
  http: { method: 'post', path: '/api/reporting/generate-briefing', withinMs: ANSWER_WITHIN_MS },
  cli: {
    command: 'brief',
    flags: { model: { value: 'name' }, featureIds: { name: 'feature', value: 'id' }, since: { value: 'date' } },
    examples: [
      'studio brief --mode deterministic',
      'studio brief --feature 101 --format html --out briefing.html',
      'studio brief --since 2026-11-04 --explain',
      'studio brief --json --fields markdown',
    ],
    out: { about: 'write the text into this file instead' },
    notice: ({ notice }) => notice,
    seeAlso: ['report summary', 'priorities set', 'llm models', 'import'],
  },
  async run(ctx: ModelContext & StorageContext, { mode, model, featureIds, since, explain }) {
    const sinceMoment = since === null ? null : `${since}T00:00:00.000Z`
    const { items, ...known } = await loadWork(ctx, { ids: featureIds, field: 'featureIds', since: sinceMoment })
    const basis = figuresOf(items, { ids: featureIds, since: sinceMoment, ...known })
    const written = await writeBriefing(ctx, basis, { mode, model, explain })
    return { ...written, generatedAt: new Date(ctx.clock.now()).toISOString(), basis }
  },
})
