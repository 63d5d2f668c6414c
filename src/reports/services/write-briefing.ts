import { MODEL_ERRORS, type ModelContext } from '../../assistant'
import { hint, StudioError, suggest } from '../../kernel'
import { briefingText, explanationText } from '../rules/briefing-text'
import { checkFigures } from '../rules/figure-check/check-figures'
import type { Figures } from '../rules/figures'
import { briefingOf, briefingPrompt } from './briefing-prompt'

export interface WrittenBriefing {
  mode: 'ai' | 'deterministic'
  model: string | null
  markdown: string
  notice: string | null
  warnings: string[]
}

interface Wanted {
  mode: 'auto' | 'ai' | 'deterministic'
  /** Null: the one of the settings, else the first that is installed. */
  model: string | null
  /** Add how the figures are made. */
  explain: boolean
}

/** `auto` is the model's text where it gives one, else the deterministic one, and says which. */
export async function writeBriefing(ctx: ModelContext, basis: Figures, wanted: Wanted): Promise<WrittenBriefing> {
  const deterministic: WrittenBriefing = {
    mode: 'deterministic',
    model: null,
    markdown: briefingText(basis, wanted),
    notice: null,
    warnings: [],
  }
  if (wanted.mode === 'deterministic') return deterministic
  if (wanted.mode === 'auto' && basis.asOf === null) {
    return { ...deterministic, notice: 'There is nothing to write about: this is the deterministic text.' }
  }
  try {
    return await byModel(ctx, basis, wanted)
  } catch (error) {
    if (wanted.mode === 'ai' || !isOfTheModel(error)) throw error
    return {
      ...deterministic,
      notice: `This is the deterministic text, for no language model wrote one: ${error.message}`,
    }
  }
}

async function byModel(
  ctx: ModelContext,
  basis: Figures,
  { model, explain }: Pick<Wanted, 'model' | 'explain'>,
): Promise<WrittenBriefing> {
  const boundary = { word: ctx.ids.secret(24) }
  const server = await ctx.model()
  ctx.progress({ label: 'the language model is writing the briefing' })
  const answer = await server.chat({ messages: briefingPrompt(briefingText(basis), boundary), model }, ctx.signal)
  const text = briefingOf(answer.text, boundary)
  if (text === '') {
    throw new StudioError('llm_answer', `The language model ${answer.model} gave an empty answer.`, {
      hint: hint`Try again, or another model: ${suggest('llm.models')}`,
    })
  }
  const cut = answer.complete ? null : 'The answer of the language model stopped before its end.'
  const notices = [cut, answer.notice].filter((notice) => notice !== null)
  return {
    mode: 'ai',
    model: answer.model,
    markdown: explain ? `${text}\n\n${explanationText(basis, 'ai')}\n` : `${text}\n`,
    notice: notices.length > 0 ? notices.join(' ') : null,
    warnings: checkFigures(text, basis),
  }
}

function isOfTheModel(error: unknown): error is StudioError {
  return error instanceof StudioError && (MODEL_ERRORS as readonly string[]).includes(error.code)
}
