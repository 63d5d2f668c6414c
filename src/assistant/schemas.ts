import * as z from 'zod'
import { targets } from './rules/prompts/template'

/** Characters of all that a caller may say in one call; the body's own limit is above it. */
const MAX_CHARACTERS = 400_000

/** A text for a model. The null character is nobody's text, and some servers end at it. */
export function PromptText(most = MAX_CHARACTERS) {
  return z
    .string()
    .min(1)
    .max(most)
    .refine((text) => !text.includes('\u0000'), 'must not hold the null character')
}

export const ModelName = PromptText(200).describe(
  'Model; where none is named the one of the settings, else the first installed',
)
export const StoryId = z.int().min(1).describe('Draft whose texts the model gets to see')
export const ItemOfStory = z.int().min(1).describe('Cached work item whose texts the model gets to see')
export const PromptId = z.string().min(1).max(64).describe('Name of a prompt template, one of those that are listed')

export const Variables = z
  .record(z.string().regex(/^[A-Za-z][A-Za-z0-9]*$/), PromptText(4000))
  .describe('Values of variables that a prompt template has besides those of the story')

export const ChatMessage = z.strictObject({ role: z.enum(['system', 'user', 'assistant']), content: PromptText() })

export const Prompt = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  target: z.enum(targets).describe('What it writes, and so where the answer goes in a draft'),
  template: z.string(),
  variables: z.array(z.string()).describe('The names in {{braces}}, in the order of the template'),
  own: z.boolean().describe('True for a template of the user, from the folder prompts beside the settings'),
})

export const Answer = z.object({
  model: z.string(),
  response: z.string(),
  done: z
    .boolean()
    .describe('False where the answer stopped because the context, or the limit of the server, was used up'),
  durationMs: z.int(),
  promptTokens: z.int().nullable(),
  responseTokens: z.int().nullable(),
  notice: z.string().nullable().describe('What a reader should know of the answer'),
})

/** The parts of an answer that comes as it is written. */
export const AnswerEvent = z.discriminatedUnion('event', [
  z.object({
    event: z.literal('start'),
    model: z.string(),
    loaded: z
      .boolean()
      .nullable()
      .describe('False where the model must be loaded first; null where the server does not say'),
    contextTokens: z.int().nullable(),
  }),
  z.object({ event: z.literal('token'), text: z.string() }),
  z.object({
    event: z.literal('done'),
    model: z.string(),
    durationMs: z.int(),
    promptTokens: z.int().nullable(),
    responseTokens: z.int().nullable(),
    complete: z.boolean().describe('False where the answer stopped because the context was used up'),
    notice: z.string().nullable(),
  }),
])
export type AnswerEvent = z.infer<typeof AnswerEvent>
