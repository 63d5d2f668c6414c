import * as z from 'zod'
import { hint, StudioError, suggest } from '../../kernel'
import { askForJson, parseJsonAnswer, type Refinement, toJsonSchema } from '../rules/answers/answer-forms'
import type { Cutoff } from '../rules/answers/cutoff'
import { AnswerTexts } from '../rules/answers/read-texts'
import { type Boundary, formatBoundaryRule, removeMarks } from '../rules/prompts/boundary'
import { ROLE } from '../rules/prompts/compose-messages'
import { fillTemplate, type Template } from '../rules/prompts/template'
import type { Story } from '../rules/story'
import { finishAnswer } from './answer-errors'
import type { AssistantContext } from './assistant-context'
import type { ChatRequest, Message } from './model'

/** What happens until the model has given a valid answer. */
export const RefinementProgress = z.discriminatedUnion('event', [
  z.object({
    event: z.literal('start'),
    model: z.string(),
    loaded: z
      .boolean()
      .nullable()
      .describe('False if the model must be loaded first; null if the server does not report it'),
  }),
  z.object({ event: z.literal('token'), text: z.string().describe('A piece of the texts, not validated yet') }),
  z.object({
    event: z.literal('retry'),
    problems: z.array(z.string()).describe('Why the answer so far is not valid. The model answers again'),
  }),
])
type RefinementProgress = z.infer<typeof RefinementProgress>

interface RefinementRequest {
  template: Template
  story: Story
  variables: Readonly<Record<string, string>>
  boundary: Boundary
  model: string | null
}

interface RefinementAnswer {
  refinement: Refinement
  model: string
  attempts: number
  notice: string | null
}

/** An answer of the wrong form is requested once more, with a list of its problems. */
const MAX_ATTEMPTS = 2

/** Asks the model for an answer in the form of the template's target. Throws `llm_answer` if no attempt has that form. */
export async function* requestRefinement(
  ctx: AssistantContext,
  request: RefinementRequest,
): AsyncGenerator<RefinementProgress, RefinementAnswer> {
  const { template, boundary, model: chosen } = request
  const { target } = template
  const messages: Message[] = [
    { role: 'system', content: [ROLE, formatBoundaryRule(boundary), askForJson(target)].join('\n\n') },
    { role: 'user', content: fillTemplate(template, request) },
  ]
  for (let attempts = 1; ; attempts++) {
    const answer = yield* readAnswer(ctx, { messages, model: chosen, schema: toJsonSchema(target) })
    const { text, model, notice, cutoff } = answer
    const parsed = parseJsonAnswer(target, removeMarks(boundary, text))
    if ('refinement' in parsed) return { refinement: parsed.refinement, model, attempts, notice }
    if (cutoff !== null && (cutoff.isContextFull || attempts === MAX_ATTEMPTS)) throw createCutoffError(cutoff)
    const problems = cutoff === null ? parsed.problems : [cutoff.message]
    if (attempts === MAX_ATTEMPTS) throw createFormatError(problems)
    yield { event: 'retry', problems }
    messages.push({ role: 'assistant', content: text }, { role: 'user', content: formatProblems(problems) })
  }
}

interface WholeAnswer {
  text: string
  model: string
  cutoff: Cutoff | null
  notice: string | null
}

/** Yields the texts of one answer while the model writes it, and returns all of it. */
async function* readAnswer(
  ctx: AssistantContext,
  request: ChatRequest,
): AsyncGenerator<RefinementProgress, WholeAnswer> {
  const server = await ctx.model()
  const answer: WholeAnswer = { text: '', model: '', cutoff: null, notice: null }
  const texts = new AnswerTexts()
  let line = ''
  for await (const part of server.stream(request, ctx.signal)) {
    if (part.kind === 'start') {
      const { model, loaded } = part
      answer.model = model
      ctx.progress({ label: loaded === false ? `loading ${model}` : `${model} reads the prompt` })
      yield { event: 'start', model, loaded }
    } else if (part.kind === 'text') {
      answer.text += part.text
      const text = texts.read(part.text)
      if (text === '') continue
      line = (line + text).split('\n').at(-1)!
      ctx.progress({ label: `writing: ${line.slice(-MAX_LABEL)}` })
      yield { event: 'token', text }
    } else {
      answer.cutoff = part.cutoff
      answer.notice = part.notice
    }
  }
  return { ...answer, text: finishAnswer(answer.text) }
}

/** A progress label is one line of a terminal. */
const MAX_LABEL = 60

function createFormatError(problems: readonly string[]): StudioError {
  return new StudioError('llm_answer', `The model's answer does not have the requested format: ${problems[0]}`, {
    hint: hint`Try again, or use another model: ${suggest('llm.models')}`,
    details: problems.map((message) => ({ path: '', message })),
  })
}

function createCutoffError({ message, advice }: Cutoff): StudioError {
  return new StudioError('llm_answer', message, { hint: hint`${advice} Models: ${suggest('llm.models')}` })
}

function formatProblems(problems: readonly string[]): string {
  const list = problems.map((problem) => `- ${problem}`).join('\n')
  return `This answer is not valid:\n${list}\nAnswer again, with only the complete JSON object.`
}
