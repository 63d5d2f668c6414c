import * as z from 'zod'
import { parseJson } from '../../kernel/json'
import type { InstalledModel } from '../services/model'
import type { HttpClient } from './http-client'
import { createAnswerError, createMalformedAnswerError } from './model-errors'
import type { ModelServer, ServerPart, ServerRequest } from './model-server'
import { Count, lenient, optional } from './model-server'
import { SchemaSupport } from './schema-support'

/** Speaks Ollama's own API, in which a call can set the length of the context. */
export function createOllamaServer(client: HttpClient): ModelServer {
  const { address } = client
  const schemaSupport = new SchemaSupport()

  async function listModels(signal: AbortSignal): Promise<InstalledModel[]> {
    const [{ models: installed = [] }, running] = await Promise.all([
      client.request({ method: 'GET', path: '/api/tags' }, Tags, signal),
      listRunningModels(signal),
    ])
    return installed.map(({ name, size, modified_at, details }) => ({
      name,
      sizeBytes: size ?? null,
      parameterSize: details?.parameter_size || null,
      quantization: details?.quantization_level || null,
      modifiedAt: toIsoTime(modified_at),
      loaded: running === null ? null : running.has(name),
      contextTokens: null,
      canAnswer: !/bert/i.test(details?.family ?? '') && !/embed/i.test(name),
    }))
  }

  async function listRunningModels(signal: AbortSignal): Promise<Set<string> | null> {
    const running = await orNull(client.request({ method: 'GET', path: '/api/ps' }, Running, signal), signal)
    return running && new Set(running.models.map(({ name }) => name))
  }

  return {
    host: address.base,
    acceptsContextLength: true,
    canServeUnlisted: false,
    listModels: listModels,
    async findMaxContext({ name }, signal) {
      const query = { method: 'POST', path: '/api/show', body: { model: name }, model: name } as const
      const info = await orNull(client.request(query, ModelInfo, signal), signal)
      const length = Object.entries(info?.model_info ?? {}).find(([key]) => key.endsWith('.context_length'))?.[1]
      return z.int().positive().safeParse(length).data ?? null
    },
    async load(model, contextTokens, signal) {
      const body = { model, messages: [], stream: false, options: { num_ctx: contextTokens ?? undefined } }
      for await (const line of client.lines({ method: 'POST', path: '/api/chat', body, model }, signal)) {
        const { error } = (parseJson(line) ?? {}) as { error?: unknown }
        if (error !== undefined) throw createAnswerError(client.readFailure(error))
      }
    },
    async *answer({ model, messages, contextTokens, schema }: ServerRequest, signal): AsyncGenerator<ServerPart> {
      const body = {
        model,
        messages,
        stream: true,
        // Newer servers then refuse a prompt that does not fit. Older ones ignore the property.
        truncate: false,
        options: { num_ctx: contextTokens ?? undefined },
      }
      // Older servers accept only `json` as the format.
      const lines = schemaSupport.lines({ model, schema }, (format) =>
        client.lines({ method: 'POST', path: '/api/chat', body: format ? { ...body, format } : body, model }, signal),
      )
      for await (const line of lines) {
        if (line.trim() === '') continue
        const parsed = AnswerLine.safeParse(parseJson(line))
        if (!parsed.success) throw createMalformedAnswerError(address)
        const { data } = parsed
        if ('error' in data) throw createAnswerError(client.readFailure(data.error))
        const { content, thinking } = data.message ?? {}
        if (content) yield { kind: 'text', text: content }
        else yield thinking ? { kind: 'thinking' } : { kind: 'activity' }
        if (!data.done) continue
        yield {
          kind: 'end',
          reason: data.done_reason === 'length' ? 'length' : 'complete',
          promptTokens: data.prompt_eval_count ?? null,
          responseTokens: data.eval_count ?? null,
        }
        return
      }
    },
    close: () => client.close(),
  }
}

/** The result, or null if the request fails, because older servers do not support every request. */
async function orNull<Result>(result: Promise<Result>, signal: AbortSignal): Promise<Result | null> {
  try {
    return await result
  } catch {
    signal.throwIfAborted()
    return null
  }
}

function toIsoTime(time: string | undefined): string | null {
  const parsed = time === undefined ? Number.NaN : Date.parse(time)
  return Number.isNaN(parsed) ? null : new Date(parsed).toISOString()
}

/** A server without models may send `null`. */
export const Tags = z.object({
  models: optional(
    z.array(
      z.object({
        name: z.string(),
        size: lenient(Count),
        modified_at: lenient(z.string()),
        details: lenient(
          z.object({
            family: lenient(z.string()),
            parameter_size: lenient(z.string()),
            quantization_level: lenient(z.string()),
          }),
        ),
      }),
    ),
  ),
})

export const Running = z.object({ models: z.array(z.object({ name: z.string() })) })

/** The key of the context length begins with the model's architecture: `llama.context_length`. */
const ModelInfo = z.object({ model_info: optional(z.record(z.string(), z.unknown())) })

/** One line of an answer. */
const AnswerLine = z.union([
  // A text, or an object with a message if this server is a proxy of another one.
  z.object({ error: z.union([z.string(), z.looseObject({})]) }),
  z.object({
    message: optional(z.object({ content: optional(z.string()), thinking: optional(z.string()) })),
    done: z.boolean(),
    done_reason: optional(z.string()),
    prompt_eval_count: optional(Count),
    eval_count: optional(Count),
  }),
])
