import { hint, StudioError, suggest } from '../../kernel'
import type { Refinement } from '../rules/answers/form'
import { askForJson, jsonSchemaOf, readAnswer } from '../rules/answers/forms'
import { type Boundary, boundaryRule, withoutMarks } from '../rules/prompts/boundary'
import { ROLE } from '../rules/prompts/compose'
import { fillTemplate, type Template } from '../rules/prompts/template'
import type { Story } from '../rules/story'
import type { AssistantContext } from './assistant-context'
import type { Message } from './model'

export interface RefinementRequest {
  template: Template
  story: Story
  variables: Readonly<Record<string, string>>
  boundary: Boundary
  model: string | null
}

export interface RefinementAnswer {
  refinement: Refinement
  model: string
  attempts: number
  notice: string | null
}

/** An answer that has not the asked form is asked for once more, with what was wrong with it. */
const MAX_ATTEMPTS = 2

const TRUNCATED = 'It stopped before its end, for the context of the model, or the limit of its server, was used up.'

/** Asks the model for an answer in the form of the template's target. Throws `llm_answer` where it never has that form. */
export async function requestRefinement(ctx: AssistantContext, asked: RefinementRequest): Promise<RefinementAnswer> {
  const { template, boundary } = asked
  const server = await ctx.model()
  const messages: Message[] = [
    { role: 'system', content: [ROLE, boundaryRule(boundary), askForJson(template.target)].join('\n\n') },
    { role: 'user', content: fillTemplate(template, asked) },
  ]
  const form = jsonSchemaOf(template.target)
  let problems: string[] = []
  for (let attempts = 1; attempts <= MAX_ATTEMPTS; attempts++) {
    ctx.progress({ label: attempts === 1 ? 'the model is at work' : 'the model tries again' })
    const { text, model, notice, complete } = await server.chat({ messages, model: asked.model, form }, ctx.signal)
    const reading = readAnswer(template.target, withoutMarks(boundary, text))
    if ('refinement' in reading) return { refinement: reading.refinement, model, attempts, notice }
    problems = complete ? reading.problems : [TRUNCATED]
    messages.push({ role: 'assistant', content: text }, { role: 'user', content: askAgain(problems) })
  }
  throw new StudioError('llm_answer', `The model's answer does not have the requested format: ${problems[0]}`, {
    hint: hint`Try again, or with another model: ${suggest('llm.models')}`,
    details: problems.map((message) => ({ path: '', message })),
  })
}

function askAgain(problems: readonly string[]): string {
  const list = problems.map((problem) => `- ${problem}`).join('\n')
  return `This answer cannot be used:\n${list}\nAnswer again, with the whole JSON object alone.`
}
