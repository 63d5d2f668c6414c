import * as z from 'zod'
import { parseJson } from '../../kernel/json'
import type { InstalledModel } from '../services/model'
import type { HttpClient } from './http-client'
import { createAnswerError, createMalformedAnswerError, formatError } from './model-errors'
import type { ModelServer, ServerPart, ServerRequest } from './model-server'
import { Count, lenient, optional } from './model-server'

/** Speaks the API that llama.cpp, LM Studio and vLLM have in common. Their context is set when they start. */
export function createOpenaiServer(client: HttpClient): ModelServer {
  const { address } = client
  return {
    host: address.base,
    acceptsContextLength: false,
    canServeUnlisted: true,
    async listModels(signal): Promise<InstalledModel[] | null> {
      const list = await client.requestIfServed({ method: 'GET', path: '/v1/models' }, ModelList, signal)
      if (list === null) return null
      return (list.data ?? []).map(({ id, created, max_model_len, max_context_length, meta }) => ({
        name: id,
        sizeBytes: meta?.size ?? null,
        parameterSize: meta?.n_params ? `${(meta.n_params / 1e9).toFixed(1)}B` : null,
        quantization: null,
        modifiedAt: created ? toIsoTime(created) : null,
        loaded: null,
        contextTokens: max_model_len ?? max_context_length ?? null,
        canAnswer: !/embed/i.test(id),
      }))
    },
    findMaxContext: async (model) => model.contextTokens,
    async load(model, _contextTokens, signal) {
      // The API has no call for this, but the shortest possible answer also loads the model.
      const body = { model, messages: [{ role: 'user', content: 'Hi' }], max_tokens: 1, stream: true }
      for await (const line of client.lines({ method: 'POST', path: '/v1/chat/completions', body, model }, signal)) {
        const data = parseEventLine(line)
        if (data === '[DONE]') return
        const { error } = (parseJson(data ?? '') ?? {}) as { error?: unknown }
        if (error) throw createAnswerError(formatError(error))
      }
    },
    async *answer({ model, messages, schema }: ServerRequest, signal): AsyncGenerator<ServerPart> {
      const body = {
        model,
        messages,
        stream: true,
        stream_options: { include_usage: true },
        ...(schema ? { response_format: { type: 'json_schema', json_schema: { name: 'answer', schema } } } : {}),
      }
      let finished: string | null = null
      let usage: AnswerChunk['usage']
      for await (const line of client.lines({ method: 'POST', path: '/v1/chat/completions', body, model }, signal)) {
        const data = parseEventLine(line)
        if (data === null) continue
        if (data === '[DONE]') {
          finished ??= 'stop'
          break
        }
        const parsed = AnswerChunk.safeParse(parseJson(data))
        if (!parsed.success) throw createMalformedAnswerError(address)
        const { error, choices } = parsed.data
        if (error !== undefined) throw createAnswerError(formatError(error))
        const choice = choices?.[0]
        finished = choice?.finish_reason ?? finished
        usage = parsed.data.usage ?? usage
        const text = (choice?.delta ?? choice?.message)?.content
        yield text ? { kind: 'text', text } : { kind: 'activity' }
      }
      if (finished === null) return
      yield {
        kind: 'end',
        complete: finished !== 'length',
        promptTokens: usage?.prompt_tokens ?? null,
        responseTokens: usage?.completion_tokens ?? null,
      }
    },
    close: () => client.close(),
  }
}

function toIsoTime(seconds: number): string | null {
  const at = new Date(seconds * 1000)
  return Number.isNaN(at.getTime()) ? null : at.toISOString()
}

/**
 * The data of a line of server-sent events; null for other lines. An `error:` line of older servers is data too. So is an object without
 * a field name, because some servers send a complete answer or an error where events were requested.
 */
function parseEventLine(line: string): string | null {
  if (line.startsWith('{')) return line
  const found = /^(data|error): ?(.*)$/.exec(line)
  if (!found) return null
  return found[1] === 'error' ? `{"error":${found[2]}}` : found[2]!
}

const ModelList = z.object({
  data: z
    .array(
      z.object({
        id: z.string(),
        created: lenient(z.number()),
        /** vLLM */
        max_model_len: lenient(z.int().positive()),
        /** LM Studio */
        max_context_length: lenient(z.int().positive()),
        /** llama.cpp */
        meta: lenient(z.object({ size: lenient(Count), n_params: lenient(z.number()) })),
      }),
    )
    .nullable(),
})

const Content = optional(z.object({ content: optional(z.string()) }))

/** One `data:` of an answer, or the complete answer (`message`). The model's thinking (`reasoning_content`, `reasoning`) is ignored. */
const AnswerChunk = z.object({
  error: optional(z.unknown()),
  choices: optional(
    z.array(
      z.object({
        delta: Content,
        message: Content,
        finish_reason: optional(z.string()),
      }),
    ),
  ),
  usage: optional(z.object({ prompt_tokens: optional(Count), completion_tokens: optional(Count) })),
})
type AnswerChunk = z.infer<typeof AnswerChunk>
