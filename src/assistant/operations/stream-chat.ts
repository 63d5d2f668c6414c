import * as z from 'zod'
import { operation } from '../../kernel'
import { Answer, AnswerEvent, ChatMessage, ItemOfStory, ModelName, PromptId, StoryId, Variables } from '../schemas'
import { answerConversation, collectAnswer } from '../services/answer-conversation'
import type { AssistantContext } from '../services/assistant-context'
import { MODEL_ERRORS } from '../services/model'
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

export const streamChat = operation({
  id: 'chat.stream',
  summary: 'Chat with the language model about a story, with a streamed answer',
  description:
    'Sends server-sent events: start, then token with a piece of text each, then done; or error with the error body if the model fails meanwhile. ' +
    'With Accept: application/x-ndjson each event is a line with its kind in the field event; with Accept: application/json the response is the ' +
    'complete answer. A comment line or a ping event every 15 seconds keeps an idle connection open. If the caller disconnects, the model stops.',
  effect: 'read',
  access: 'workspace',
  isExpensive: true,
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
    return collectAnswer(answerConversation(ctx, request))
  },
  stream: { event: AnswerEvent, byDefault: true, open: answerConversation },
})
