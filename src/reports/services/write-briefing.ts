import {
  type Boundary,
  formatBoundaryRule,
  type Message,
  MODEL_ERRORS,
  type ModelContext,
  markMaterial,
  removeMarks,
} from '../../assistant'
import { hint, StudioError, suggest } from '../../kernel'
import { checkFigures } from '../rules/figure-check/check-figures'
import { renderBriefing, renderExplanation } from '../rules/render-briefing'
import type { BriefingFigures } from '../schemas'

interface WrittenBriefing {
  mode: 'ai' | 'deterministic'
  model: string | null
  markdown: string
  notice: string | null
  warnings: string[]
}

interface BriefingOptions {
  mode: 'auto' | 'ai' | 'deterministic'
  /** Null: the model of the settings, or else the first installed one. */
  model: string | null
  /** Adds how the figures are made. */
  explain: boolean
}

/** `auto` falls back to the deterministic text if the model returns none, and explains that in the notice. */
export async function writeBriefing(
  ctx: ModelContext,
  basis: BriefingFigures,
  options: BriefingOptions,
): Promise<WrittenBriefing> {
  const deterministic: WrittenBriefing = {
    mode: 'deterministic',
    model: null,
    markdown: renderBriefing(basis, options),
    notice: null,
    warnings: [],
  }
  if (options.mode === 'deterministic') return deterministic
  if (options.mode === 'auto' && basis.asOf === null) {
    return {
      ...deterministic,
      notice: 'The workspace is empty, so no language model was asked: this is the deterministic text.',
    }
  }
  try {
    return await writeWithModel(ctx, basis, options)
  } catch (error) {
    if (options.mode === 'ai' || !isModelError(error)) throw error
    return {
      ...deterministic,
      notice: `This is the deterministic text, because no language model wrote one: ${error.message}`,
    }
  }
}

async function writeWithModel(
  ctx: ModelContext,
  basis: BriefingFigures,
  { model, explain }: Pick<BriefingOptions, 'model' | 'explain'>,
): Promise<WrittenBriefing> {
  const boundary = { token: ctx.ids.secret(24) }
  const server = await ctx.model()
  ctx.progress({ label: 'the language model is writing the briefing' })
  const answer = await server.chat(
    { messages: buildBriefingPrompt(renderBriefing(basis), boundary), model },
    ctx.signal,
  )
  const text = extractBriefing(answer.text, boundary)
  if (text === '') {
    throw new StudioError('llm_answer', `The language model ${answer.model} returned an empty answer.`, {
      hint: hint`Try again, or use another model: ${suggest('llm.models')}`,
    })
  }
  return {
    mode: 'ai',
    model: answer.model,
    markdown: explain ? `${text}\n\n${renderExplanation(basis, 'ai')}\n` : `${text}\n`,
    notice: answer.notice,
    warnings: checkFigures(text, basis),
  }
}

function isModelError(error: unknown): error is StudioError {
  return error instanceof StudioError && (MODEL_ERRORS as readonly string[]).includes(error.code)
}

const TASK = `You write status briefings for executives. The material is a briefing that was made by fixed rules: its figures are correct,
and it repeats itself. Rewrite it in Markdown and in plain English, in at most 250 words, in this order:

1. One sentence that says where the work stands, and whether it is on track.
2. The decisions that are needed: what has to be decided, by whom, and what it unblocks. If the material names none, write "No decision is needed."
3. What changed since the date that the material gives: what was completed, and what was started or added.
4. What is at risk or blocked, with the cause.

Write short, active sentences that somebody who knows neither the tracker nor its terms understands. Do not explain how a figure is
calculated, which rule or threshold it follows, or how this text was written. Leave out statistics that support no statement above.

Copy every figure from the material unchanged, in digits. Do not calculate, round, add, estimate or predict. Name a work item as
the material does, with its title. Leave out what the material does not say. Answer with the briefing alone, with no text before or after it.`

/** `deterministic` has no methodology. It is untrusted, because it contains titles from the tracker. */
function buildBriefingPrompt(deterministic: string, boundary: Boundary): Message[] {
  return [
    { role: 'system', content: `${TASK}\n\n${formatBoundaryRule(boundary)}` },
    { role: 'user', content: `${markMaterial(boundary, 'basis', deterministic)}\n\nWrite the briefing.` },
  ]
}

/** Removes a code fence around the whole answer, and boundary marks that the model repeated. */
export function extractBriefing(answer: string, boundary: Boundary): string {
  const unmarked = removeMarks(boundary, answer).trim()
  const fenced = /^(`{3,}|~{3,})[a-z]*\n([\s\S]*)\n\1$/i.exec(unmarked)
  return (fenced?.[2] ?? unmarked).trim()
}
