import * as z from 'zod'
import { Count, fact, optional } from '../optional'

export const ModelList = z.object({
  data: z
    .array(
      z.object({
        id: z.string(),
        created: fact(z.number()),
        /** vLLM */
        max_model_len: fact(z.int().positive()),
        /** LM Studio */
        max_context_length: fact(z.int().positive()),
        /** llama.cpp */
        meta: fact(z.object({ size: fact(Count), n_params: fact(z.number()) })),
      }),
    )
    .nullable(),
})

const Said = optional(z.object({ content: optional(z.string()) }))

/** One `data:` of an answer, or the answer whole (`message`). What the model thinks (`reasoning_content`, `reasoning`) is read past. */
export const AnswerChunk = z.object({
  error: optional(z.unknown()),
  choices: optional(
    z.array(
      z.object({
        delta: Said,
        message: Said,
        finish_reason: optional(z.string()),
      }),
    ),
  ),
  usage: optional(z.object({ prompt_tokens: optional(Count), completion_tokens: optional(Count) })),
})
export type AnswerChunk = z.infer<typeof AnswerChunk>
