import * as z from 'zod'
import { operation } from '../../kernel'
import { Answer, AnswerEvent, ItemOfStory, ModelName, PromptText, StoryId } from '../schemas'
import { answerConversation, collectAnswer } from '../services/answer-conversation'
import type { AssistantContext } from '../services/assistant-context'
import { MODEL_ERRORS } from '../services/model'
import { MAX_ANSWER_MS } from '../services/timeouts'

const input = z.strictObject({
  prompt: PromptText().describe('The question'),
  model: ModelName.nullish(),
  systemPrompt: PromptText(40_000).nullish().describe('Instructions for the model, which replace those of studio'),
  storyId: StoryId.nullish(),
  itemId: ItemOfStory.nullish(),
})

export const chatOnce = operation({
  id: 'llm.chat',
  summary: 'Ask the language model a question',
  description:
    'The texts of a draft or a work item are sent between delimiters, and the prompt instructs the model to ignore instructions in them. ' +
    'With Accept: text/event-stream or application/x-ndjson the answer is streamed.',
  effect: 'read',
  access: 'workspace',
  isExpensive: true,
  input,
  output: Answer,
  errors: ['not_found', ...MODEL_ERRORS],
  http: { method: 'post', path: '/api/llm/chat', withinMs: MAX_ANSWER_MS },
  cli: {
    command: 'llm chat',
    args: ['prompt'],
    flags: {
      systemPrompt: { name: 'system', value: 'text' },
      model: { value: 'name' },
      storyId: { name: 'draft', value: 'id' },
      itemId: { name: 'item', value: 'id' },
    },
    examples: [
      'studio llm chat "What does INVEST mean for a user story?"',
      'studio llm chat "What is missing here?" --item 204',
      'echo "The truck is late." | studio llm chat - --system "Answer as the dock, in one sentence."',
    ],
    seeAlso: ['llm models', 'chat', 'draft refine'],
  },
  async run(ctx: AssistantContext, request) {
    return collectAnswer(answer(ctx, request))
  },
  stream: { event: AnswerEvent, open: answer },
})

function answer(ctx: AssistantContext, { prompt, ...request }: z.output<typeof input>) {
  return answerConversation(ctx, { ...request, messages: [{ role: 'user', content: prompt }] })
}
