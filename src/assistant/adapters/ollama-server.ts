import * as z from 'zod'
import { parseJson } from '../../kernel/json'
import type { InstalledModel } from '../services/model'
import type { HttpClient } from './http-client'
import { answerError, formatError, malformedAnswer } from './model-errors'
import { Count, fact, optional } from './optional'
import type { ModelServer, ServerPart, ServerRequest } from './server'

/** Speaks Ollama's own API, in which a call can say how long a context it wants. */
export function ollamaServer(exchange: HttpClient): ModelServer {
  const { address } = exchange

  async function models(signal: AbortSignal): Promise<InstalledModel[]> {
    const [{ models: installed = [] }, running] = await Promise.all([
      exchange.request({ method: 'GET', path: '/api/tags' }, Tags, signal),
      runningModels(signal),
    ])
    return installed.map(({ name, size, modified_at, details }) => ({
      name,
      sizeBytes: size ?? null,
      parameterSize: details?.parameter_size || null,
      quantization: details?.quantization_level || null,
      modifiedAt: isoOf(modified_at),
      loaded: running === null ? null : running.has(name),
      contextTokens: null,
      answers: !/bert/i.test(details?.family ?? '') && !/embed/i.test(name),
    }))
  }

  async function runningModels(signal: AbortSignal): Promise<Set<string> | null> {
    const running = await toldOrNull(exchange.request({ method: 'GET', path: '/api/ps' }, Running, signal), signal)
    return running && new Set(running.models.map(({ name }) => name))
  }

  return {
    host: address.base,
    takesContext: true,
    servesUnlisted: false,
    models,
    async mostContext({ name }, signal) {
      const ask = { method: 'POST', path: '/api/show', body: { model: name }, model: name } as const
      const shown = await toldOrNull(exchange.request(ask, Shown, signal), signal)
      const length = Object.entries(shown?.model_info ?? {}).find(([key]) => key.endsWith('.context_length'))?.[1]
      return z.int().positive().safeParse(length).data ?? null
    },
    async load(model, contextTokens, signal) {
      const body = { model, messages: [], stream: false, options: { num_ctx: contextTokens ?? undefined } }
      for await (const line of exchange.lines({ method: 'POST', path: '/api/chat', body, model }, signal)) {
        const { error } = (parseJson(line) ?? {}) as { error?: unknown }
        if (error !== undefined) throw answerError(formatError(error))
      }
    },
    async *answer({ model, messages, contextTokens, form }: ServerRequest, signal): AsyncGenerator<ServerPart> {
      const body = {
        model,
        messages,
        stream: true,
        // Newer servers then refuse a prompt that does not fit, and older ones do not know the word.
        truncate: false,
        options: { num_ctx: contextTokens ?? undefined },
        ...(form ? { format: form } : {}),
      }
      for await (const line of exchange.lines({ method: 'POST', path: '/api/chat', body, model }, signal)) {
        if (line.trim() === '') continue
        const parsed = AnswerLine.safeParse(parseJson(line))
        if (!parsed.success) throw malformedAnswer(address)
        const said = parsed.data
        if ('error' in said) throw answerError(formatError(said.error))
        yield said.message?.content ? { kind: 'text', text: said.message.content } : { kind: 'sign' }
        if (!said.done) continue
        yield {
          kind: 'end',
          complete: said.done_reason !== 'length',
          promptTokens: said.prompt_eval_count ?? null,
          responseTokens: said.eval_count ?? null,
        }
        return
      }
    },
    close: () => exchange.close(),
  }
}

/** A server that cannot tell, such as one of an older version, is no less usable. */
async function toldOrNull<Told>(asked: Promise<Told>, signal: AbortSignal): Promise<Told | null> {
  try {
    return await asked
  } catch {
    signal.throwIfAborted()
    return null
  }
}

function isoOf(time: string | undefined): string | null {
  const parsed = time === undefined ? Number.NaN : Date.parse(time)
  return Number.isNaN(parsed) ? null : new Date(parsed).toISOString()
}

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
