import * as z from 'zod'
import { parseJson } from '../../kernel/json'
import type { InstalledModel } from '../services/model'
import type { HttpClient } from './http-client'
import { answerError, formatError, malformedAnswer } from './model-errors'
import { Count, fact, optional } from './optional'
import type { ModelServer, ServerPart, ServerRequest } from './server'

/** Speaks the API that llama.cpp, LM Studio and vLLM have in common. Their context is set when they are started. */
export function openaiServer(exchange: HttpClient): ModelServer {
  const { address } = exchange
  return {
    host: address.base,
    takesContext: false,
    servesUnlisted: true,
    async models(signal): Promise<InstalledModel[] | null> {
      const list = await exchange.requestIfServed({ method: 'GET', path: '/v1/models' }, ModelList, signal)
      if (list === null) return null
      return (list.data ?? []).map(({ id, created, max_model_len, max_context_length, meta }) => ({
        name: id,
        sizeBytes: meta?.size ?? null,
        parameterSize: meta?.n_params ? `${(meta.n_params / 1e9).toFixed(1)}B` : null,
        quantization: null,
        modifiedAt: created ? isoOf(created) : null,
        loaded: null,
        contextTokens: max_model_len ?? max_context_length ?? null,
        answers: !/embed/i.test(id),
      }))
    },
    mostContext: async (model) => model.contextTokens,
    async load(model, _contextTokens, signal) {
      // The API has no call for it: the shortest of answers does the same.
      const body = { model, messages: [{ role: 'user', content: 'Hi' }], max_tokens: 1, stream: true }
      for await (const line of exchange.lines({ method: 'POST', path: '/v1/chat/completions', body, model }, signal)) {
        const data = dataOf(line)
        if (data === '[DONE]') return
        const { error } = (parseJson(data ?? '') ?? {}) as { error?: unknown }
        if (error) throw answerError(formatError(error))
      }
    },
    async *answer({ model, messages, form }: ServerRequest, signal): AsyncGenerator<ServerPart> {
      const body = {
        model,
        messages,
        stream: true,
        stream_options: { include_usage: true },
        ...(form ? { response_format: { type: 'json_schema', json_schema: { name: 'answer', schema: form } } } : {}),
      }
      let finished: string | null = null
      let usage: AnswerChunk['usage']
      for await (const line of exchange.lines({ method: 'POST', path: '/v1/chat/completions', body, model }, signal)) {
        const data = dataOf(line)
        if (data === null) continue
        if (data === '[DONE]') {
          finished ??= 'stop'
          break
        }
        const parsed = AnswerChunk.safeParse(parseJson(data))
        if (!parsed.success) throw malformedAnswer(address)
        const { error, choices } = parsed.data
        if (error !== undefined) throw answerError(formatError(error))
        const choice = choices?.[0]
        finished = choice?.finish_reason ?? finished
        usage = parsed.data.usage ?? usage
        const text = (choice?.delta ?? choice?.message)?.content
        yield text ? { kind: 'text', text } : { kind: 'sign' }
      }
      if (finished === null) return
      yield {
        kind: 'end',
        complete: finished !== 'length',
        promptTokens: usage?.prompt_tokens ?? null,
        responseTokens: usage?.completion_tokens ?? null,
      }
    },
    close: () => exchange.close(),
  }
}

function isoOf(seconds: number): string | null {
  const at = new Date(seconds * 1000)
  return Number.isNaN(at.getTime()) ? null : at.toISOString()
}

/**
 * What a line of server-sent events carries; an `error:` line of older servers is data too, and so is an object without a name before it:
 * some servers answer whole, or refuse, where events were asked for. Null for all else.
 */
function dataOf(line: string): string | null {
  if (line.startsWith('{')) return line
  const found = /^(data|error): ?(.*)$/.exec(line)
  if (!found) return null
  return found[1] === 'error' ? `{"error":${found[2]}}` : found[2]!
}

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
