import type * as z from 'zod'
import { StudioError } from '../../kernel'
import { removeUnopenedThinking } from '../rules/clean-answer'
import type { Answer, AnswerEvent } from '../schemas'
import type { AssistantContext } from './assistant-context'
import type { ChatRequest } from './model'

/** Yields a model's answer as events: `start` when the model is chosen, then the texts, then `done`. */
export async function* streamAnswer(ctx: AssistantContext, request: ChatRequest): AsyncGenerator<AnswerEvent, void> {
  const startedAt = ctx.clock.now()
  const server = await ctx.model()
  let model = ''
  let isEmpty = true
  for await (const part of server.stream(request, ctx.signal)) {
    if (part.kind === 'text') {
      isEmpty = false
      yield { event: 'token', text: part.text }
    } else if (part.kind === 'start') {
      model = part.model
      ctx.progress({ label: part.loaded === false ? `loading ${model}` : `${model} reads the prompt` })
      yield { event: 'start', model, loaded: part.loaded, contextTokens: part.contextTokens }
    } else {
      const { complete, promptTokens, responseTokens } = part
      const notice = part.notice ?? (isEmpty ? `The language model ${model} returned an empty answer.` : null)
      const durationMs = ctx.clock.now() - startedAt
      yield { event: 'done', model, durationMs, promptTokens, responseTokens, complete, notice }
    }
  }
}

/** Collects the events into the complete answer. */
export async function collectAnswer(events: AsyncIterable<AnswerEvent>): Promise<z.infer<typeof Answer>> {
  let response = ''
  for await (const event of events) {
    if (event.event === 'token') response += event.text
    if (event.event !== 'done') continue
    const { event: _, complete, ...facts } = event
    return { ...facts, response: removeUnopenedThinking(response), done: complete }
  }
  throw new StudioError('llm_answer', "The language model's answer was cut off.", { hint: 'Try again.' })
}
