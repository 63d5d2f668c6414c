import type * as z from 'zod'
import { inputError } from '../../kernel'
import { createInterruptedAnswerError } from '../adapters/model-errors'
import { createBoundary } from '../rules/prompts/boundary'
import { composeMessages } from '../rules/prompts/compose-messages'
import type { Template } from '../rules/prompts/template'
import { formatStory } from '../rules/story'
import type { Answer, AnswerEvent } from '../schemas'
import { finishAnswer } from './answer-errors'
import type { AssistantContext } from './assistant-context'
import { loadStory } from './load-story'
import type { ChatRequest, Message } from './model'
import { findTemplate, requireTemplateInput } from './prompt-templates'

interface Conversation {
  messages: readonly Message[]
  /** Replaces the instructions of studio. */
  systemPrompt?: string | null | undefined
  storyId?: number | null | undefined
  itemId?: number | null | undefined
  promptId?: string | null | undefined
  variables?: Record<string, string>
  model?: string | null | undefined
}

/** Answers the last message about a draft or a work item, as events: `start` when the model is chosen, then the texts, then `done`. */
export async function* answerConversation(
  ctx: AssistantContext,
  { messages, systemPrompt = null, promptId, variables = {}, model, ...source }: Conversation,
): AsyncGenerator<AnswerEvent, void> {
  const template = promptId == null ? null : await findTemplate(ctx, promptId)
  requireQuestion(messages, template)
  const story = await loadStory(ctx, source)
  if (template) requireTemplateInput(template, story, variables)
  const contents = messages.map(({ content }) => content)
  const boundary = createBoundary(ctx, [...contents, story && formatStory(story), template?.template ?? null])
  yield* streamAnswer(ctx, {
    messages: composeMessages({ messages, system: systemPrompt, story, template, variables, boundary }),
    model: model ?? null,
  })
}

function requireQuestion(messages: readonly Message[], template: Template | null): void {
  const last = messages.at(-1)
  if (last ? last.role === 'user' : template !== null) return
  throw inputError([
    { path: 'messages', message: last ? 'must end with a message of the user' : 'is required without promptId' },
  ])
}

async function* streamAnswer(ctx: AssistantContext, request: ChatRequest): AsyncGenerator<AnswerEvent, void> {
  const startedAt = ctx.clock.now()
  const server = await ctx.model()
  let model = ''
  for await (const part of server.stream(request, ctx.signal)) {
    if (part.kind === 'text') yield { event: 'token', text: part.text }
    else if (part.kind === 'start') {
      model = part.model
      ctx.progress({ label: part.loaded === false ? `loading ${model}` : `${model} reads the prompt` })
      yield { event: 'start', model, loaded: part.loaded, contextTokens: part.contextTokens }
    } else {
      const { complete, promptTokens, responseTokens, notice } = part
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
    return { ...facts, response: finishAnswer(response), done: complete }
  }
  throw createInterruptedAnswerError()
}
