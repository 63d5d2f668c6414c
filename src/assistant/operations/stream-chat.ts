import * as z from 'zod'
import { inputError, operation } from '../../kernel'
import { createBoundary } from '../rules/prompts/boundary'
import { composeMessages } from '../rules/prompts/compose-messages'
import type { Template } from '../rules/prompts/template'
import { formatStory } from '../rules/story'
import { Answer, AnswerEvent, ChatMessage, ItemOfStory, ModelName, PromptId, StoryId, Variables } from '../schemas'
import type { AssistantContext } from '../services/assistant-context'
import { loadStory } from '../services/load-story'
import { MODEL_ERRORS } from '../services/model'
import { findTemplate, requireTemplateInput } from '../services/prompt-templates'
import { collectAnswer, streamAnswer } from '../services/stream-answer'
import { MAX_ANSWER_MS } from '../services/timeouts'

const MAX_MESSAGES = 200

const input = z.strictObject({
  messages: z
    .array(ChatMessage)
    .max(MAX_MESSAGES)
    .default([])
    .describe('The conversation so far, with a last message from the user; can be empty if a prompt template is named'),
  storyId: StoryId.nullish(),
  itemId: ItemOfStory.nullish(),
  promptId: PromptId.nullish(),
  variables: Variables.default({}),
  model: ModelName.nullish(),
})
type Input = z.output<typeof input>

export const streamChat = operation({
  id: 'chat.stream',
  summary: 'Chat with the language model about a story, with a streamed answer',
  description:
    'Sends server-sent events: start, then token with a piece of text each, then done; or error with the error body if the model fails meanwhile. ' +
    'With Accept: application/x-ndjson each event is a line with its kind in the field event; with Accept: application/json the response is the ' +
    'complete answer. A comment line or a ping event every 15 seconds keeps an idle connection open. If the caller disconnects, the model stops.',
  effect: 'read',
  access: 'workspace',
  input,
  output: Answer,
  errors: ['not_found', ...MODEL_ERRORS],
  http: {
    method: 'post',
    path: '/api/chat/stream',
    withinMs: MAX_ANSWER_MS,
    example: { messages: [{ role: 'user', content: 'What is missing in this story?' }], itemId: 204 },
  },
  async run(ctx: AssistantContext, request) {
    return collectAnswer(answer(ctx, request))
  },
  stream: { event: AnswerEvent, byDefault: true, open: answer },
})

async function* answer(ctx: AssistantContext, request: Input) {
  const template = request.promptId == null ? null : await findTemplate(ctx, request.promptId)
  requireQuestion(request, template)
  const story = await loadStory(ctx, request)
  if (template) requireTemplateInput(template, story, request.variables)
  const contents = request.messages.map(({ content }) => content)
  const boundary = createBoundary(ctx, [...contents, story && formatStory(story), template?.template ?? null])
  const { messages, variables } = request
  yield* streamAnswer(ctx, {
    messages: composeMessages({ messages, system: null, story, template, variables, boundary }),
    model: request.model,
  })
}

function requireQuestion({ messages }: Input, template: Template | null): void {
  const last = messages.at(-1)
  if (last ? last.role === 'user' : template !== null) return
  throw inputError([
    { path: 'messages', message: last ? 'must end with a message of the user' : 'is required without promptId' },
  ])
}
