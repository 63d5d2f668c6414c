import * as z from 'zod'
import { ItemId } from '../items'
import { targets } from './rules/prompts/template'

/** Lower than the limit of a request body. */
const MAX_CHARACTERS = 400_000

/** A text for a model. Some servers end it at a null character. */
export function PromptText(maxLength = MAX_CHARACTERS) {
  return z
    .string()
    .min(1)
    .max(maxLength)
    .refine((text) => !text.includes('\u0000'), 'must not contain the null character')
}

export const ModelName = PromptText(200).describe(
  'Model (default: that of the settings, or else the first that is installed)',
)
export const StoryId = z.int().min(1).describe('Draft whose texts are sent to the model')
export const ItemOfStory = ItemId.describe('Cached work item whose texts are sent to the model')
export const PromptId = z.string().min(1).max(64).describe('ID or name of a prompt template')

export const Variables = z
  .record(z.string().regex(/^[A-Za-z][A-Za-z0-9]*$/), PromptText(4000))
  .describe('Values of the variables of the prompt template, except for those of the story')

export const ChatMessage = z.strictObject({ role: z.enum(['system', 'user', 'assistant']), content: PromptText() })

export type Message = z.infer<typeof ChatMessage>

/** A model as its server lists it. */
export const ListedModel = z.object({
  name: z.string(),
  sizeBytes: z.int().nullable(),
  parameterSize: z.string().nullable(),
  quantization: z.string().nullable(),
  modifiedAt: z.string().nullable(),
  loaded: z.boolean().nullable().describe('Whether it is in memory; null if the server does not report it'),
  contextTokens: z
    .int()
    .nullable()
    .describe('Maximum number of tokens of prompt and answer together; null if the server does not report it'),
})

export const Prompt = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  target: z.enum(targets).describe('What it writes, which decides the place of the answer in a draft'),
  template: z.string(),
  variables: z.array(z.string()).describe('The names in {{braces}}, in the order of the template'),
  own: z.boolean().describe('True for a template of the user, from the folder prompts next to the settings'),
})

export const Answer = z.object({
  model: z.string(),
  response: z.string(),
  done: z.boolean().describe('False if the answer is incomplete; the notice says why'),
  durationMs: z.int(),
  promptTokens: z.int().nullable(),
  responseTokens: z.int().nullable(),
  notice: z.string().nullable().describe('A note about the answer for its reader'),
})

/** The parts of a streamed answer. */
export const AnswerEvent = z.discriminatedUnion('event', [
  z.object({
    event: z.literal('start'),
    model: z.string(),
    loaded: z
      .boolean()
      .nullable()
      .describe('False if the model must be loaded first; null if the server does not report it'),
    contextTokens: z.int().nullable(),
  }),
  z.object({ event: z.literal('token'), text: z.string() }),
  z.object({
    event: z.literal('done'),
    model: z.string(),
    durationMs: z.int(),
    promptTokens: z.int().nullable(),
    responseTokens: z.int().nullable(),
    complete: z.boolean().describe('False if the answer is incomplete; the notice says why'),
    notice: z.string().nullable(),
  }),
])
export type AnswerEvent = z.infer<typeof AnswerEvent>
