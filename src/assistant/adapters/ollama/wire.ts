import * as z from 'zod'
import { Count, fact, optional } from '../optional'

/** A server that has none may say `null`. */
export const Tags = z.object({
  models: optional(
    z.array(
      z.object({
        name: z.string(),
        size: fact(Count),
        modified_at: fact(z.string()),
        details: fact(
          z.object({
            family: fact(z.string()),
            parameter_size: fact(z.string()),
            quantization_level: fact(z.string()),
          }),
        ),
      }),
    ),
  ),
})

export const Running = z.object({ models: z.array(z.object({ name: z.string() })) })

/** The context length stands under a name that begins with the model's architecture: `llama.context_length`. */
export const Shown = z.object({ model_info: optional(z.record(z.string(), z.unknown())) })

/** One line of an answer. `thinking` is read past: it is no part of what was asked for. */
export const AnswerLine = z.union([
  // A text, or an object with a message where another server stands behind this one.
  z.object({ error: z.union([z.string(), z.looseObject({})]) }),
  z.object({
    message: optional(z.object({ content: optional(z.string()) })),
    done: z.boolean(),
    done_reason: optional(z.string()),
    prompt_eval_count: optional(Count),
    eval_count: optional(Count),
  }),
])
