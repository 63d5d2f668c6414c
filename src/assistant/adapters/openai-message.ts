import * as z from 'zod'
import type { ServerPart } from './model-server'
import { lenient, optional } from './model-server'

/** A part of a list of contents. Mistral sends its thinking so, and then the answer. */
const ContentPart = z.object({ type: lenient(z.string()), text: lenient(z.string()), refusal: lenient(z.string()) })
type ContentPart = Partial<z.infer<typeof ContentPart>>

/** A message, or the next piece of one. The thinking is in `reasoning_content` (llama.cpp, DeepSeek), or in `reasoning` (vLLM, Ollama). */
export const AnswerMessage = z.object({
  content: optional(z.union([z.string(), z.array(ContentPart)])),
  refusal: optional(z.string()),
  reasoning_content: lenient(z.string()),
  reasoning: lenient(z.string()),
})

export function* readMessage(message: z.infer<typeof AnswerMessage> | undefined): Generator<ServerPart> {
  const { content = '', refusal, reasoning_content, reasoning } = message ?? {}
  const parts: ContentPart[] = typeof content === 'string' ? [{ type: 'text', text: content }] : content
  const read = parts.flatMap(readContentPart)
  if (refusal) read.push({ kind: 'refusal', text: refusal })
  if (reasoning_content || reasoning) read.push({ kind: 'thinking' })
  if (read.length === 0) yield { kind: 'activity' }
  yield* read
}

/** What is neither text nor a refusal, such as a reference, is no part of the answer. */
function readContentPart({ type, text, refusal }: ContentPart): ServerPart[] {
  if (type === 'thinking') return [{ kind: 'thinking' }]
  if (type === 'refusal' && refusal) return [{ kind: 'refusal', text: refusal }]
  return type === 'text' && text ? [{ kind: 'text', text }] : []
}
