import * as z from 'zod'
import { parseJson } from '../../kernel/json'
import type { EndReason } from '../rules/answers/cutoff'
import type { InstalledModel } from '../services/model'
import type { HttpClient } from './http-client'
import { createAnswerError, createMalformedAnswerError, createStoppedAnswerError } from './model-errors'
import type { ModelServer, ServerPart, ServerRequest } from './model-server'
import { Count, lenient, optional } from './model-server'
import { AnswerMessage, readMessage } from './openai-message'
import { SchemaSupport } from './schema-support'

/** Speaks the API that llama.cpp, LM Studio and vLLM have in common. Their context is set when they start. */
export function createOpenaiServer(client: HttpClient): ModelServer {
  const { address } = client
  const schemaSupport = new SchemaSupport()
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
        contextTokens: max_model_len ?? max_context_length ?? meta?.n_ctx ?? null,
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
        if (error) throw createAnswerError(client.readFailure(error))
      }
    },
    async *answer({ model, messages, schema }: ServerRequest, signal): AsyncGenerator<ServerPart> {
      const body = {
        model,
        messages,
        stream: true,
        stream_options: { include_usage: true },
      }
      const format = schema && { type: 'json_schema', json_schema: { name: 'answer', schema } }
      const lines = schemaSupport.lines({ model, schema: format }, (response_format) =>
        client.lines(
          {
            method: 'POST',
            path: '/v1/chat/completions',
            body: response_format ? { ...body, response_format } : body,
            model,
          },
          signal,
        ),
      )
      let finished: string | null = null
      let usage: AnswerChunk['usage']
      for await (const line of lines) {
        const data = parseEventLine(line)
        if (data === null) continue
        if (data === '[DONE]') {
          finished ??= 'stop'
          break
        }
        const parsed = AnswerChunk.safeParse(parseJson(data))
        if (!parsed.success) throw createMalformedAnswerError(address)
        const { error, choices } = parsed.data
        if (error !== undefined) throw createAnswerError(client.readFailure(error))
        const choice = choices?.[0]
        finished = choice?.finish_reason ?? finished
        usage = parsed.data.usage ?? usage
        yield* readMessage(choice?.delta ?? choice?.message)
      }
      if (finished === null) return
      yield {
        kind: 'end',
        reason: readEndReason(finished),
        promptTokens: usage?.prompt_tokens ?? null,
        responseTokens: usage?.completion_tokens ?? null,
      }
    },
    close: () => client.close(),
  }
}

/** Mistral reports `model_length` at the end of the context. All others report `length`, at that of the answer too. */
function readEndReason(finished: string): EndReason {
  if (finished === 'length') return 'length'
  if (finished === 'model_length') return 'context'
  if (finished === 'content_filter') return 'filtered'
  if (FAILURES.has(finished)) throw createStoppedAnswerError(finished)
  return 'complete'
}

/** vLLM (`abort`, `error`, `repetition`), Mistral (`error`) and DeepSeek stop so. */
const FAILURES = new Set(['abort', 'error', 'repetition', 'insufficient_system_resource'])

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
        meta: lenient(
          z.object({ size: lenient(Count), n_params: lenient(z.number()), n_ctx: lenient(z.int().positive()) }),
        ),
      }),
    )
    .nullable(),
})

/** One `data:` of an answer, or the complete answer (`message`). */
const AnswerChunk = z.object({
  error: optional(z.unknown()),
  choices: optional(
    z.array(
      z.object({
        delta: optional(AnswerMessage),
        message: optional(AnswerMessage),
        finish_reason: optional(z.string()),
      }),
    ),
  ),
  usage: optional(z.object({ prompt_tokens: optional(Count), completion_tokens: optional(Count) })),
})
type AnswerChunk = z.infer<typeof AnswerChunk>
