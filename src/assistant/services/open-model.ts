import { mayReceiveToken, openTokenSource } from '../../credentials'
import { StudioError } from '../../kernel'
import { createHttpClient } from '../adapters/http-client'
import {
  createInterruptedAnswerError,
  createListMissingError,
  createModelMissingError,
  createPromptTooLongError,
  type ServerAddress,
} from '../adapters/model-errors'
import type { ModelServer } from '../adapters/model-server'
import { createOllamaServer } from '../adapters/ollama-server'
import { createOpenaiServer } from '../adapters/openai-server'
import { explainCutoff } from '../rules/answers/cutoff'
import {
  chooseContext,
  createUnlistedModel,
  estimateTokens,
  findModel,
  isPromptTruncated,
  selectFirstModel,
} from '../rules/choose-model'
import { createNoAnswerError, finishAnswer } from './answer-errors'
import { filterAnswerText } from './filter-answer-text'
import type { ChatRequest, InstalledModel, LoadedModel, Model, ModelPart } from './model'
import { defaultModelLimits, type ModelLimits, withTimeouts } from './timeouts'

export interface ModelSettings {
  host: string
  api: 'ollama' | 'openai'
  /** The model for calls that name none; null for the first that is installed. */
  model: string | null
  /** Sent with every request; null for a server that requires none. */
  token?: string | null
  /** A command that prints a token, for settings without `token`. */
  tokenCommand?: string | null
  limits?: Partial<ModelLimits>
}

/** Opens the language model of the settings. The first request is sent with the first call. */
export function openModel(settings: ModelSettings): Model {
  const limits = { ...defaultModelLimits, ...settings.limits }
  const address: ServerAddress = { base: parseBaseAddress(settings), api: settings.api }
  const client = createHttpClient(address, limits, openToken(settings, address))
  const server = settings.api === 'ollama' ? createOllamaServer(client) : createOpenaiServer(client)
  return new ServedModel(server, address, settings.model, limits)
}

/** Throws if the token could be read on its way to the server. */
function openToken({ token = null, tokenCommand = null }: ModelSettings, { base }: ServerAddress) {
  const source = openTokenSource({
    token,
    tokenCommand,
    setting: 'llm.tokenCommand',
    code: 'llm_token',
    now: () => Date.now(),
  })
  if (source === null || mayReceiveToken(base)) return source
  throw new StudioError(
    'invalid',
    `The token of the language model is not sent to ${base}, because it is not encrypted.`,
    {
      hint: 'Set STUDIO_LLM_HOST to an https address. Over http, the token is sent only within this machine and private networks.',
    },
  )
}

/** The addresses of OpenAI servers are often written with the version that all paths begin with. */
function parseBaseAddress({ host, api }: ModelSettings): string {
  const { username, password, origin, pathname } = new URL(host)
  if (username || password) {
    throw new StudioError('invalid', 'STUDIO_LLM_HOST must not contain a user name or a password.', {
      hint: 'Set it to an address such as http://127.0.0.1:11434',
    })
  }
  const base = `${origin}${pathname}`.replace(/(?<!\/)\/+$/, '')
  return api === 'openai' ? base.replace(/\/v1$/, '') : base
}

class ServedModel implements Model {
  readonly host: string
  /** The maximum context by model, because it does not change. */
  readonly #maxContexts = new Map<string, number>()

  constructor(
    private readonly server: ModelServer,
    private readonly address: ServerAddress,
    private readonly preferred: string | null,
    private readonly limits: ModelLimits,
  ) {
    this.host = server.host
  }

  listModels(signal: AbortSignal): Promise<InstalledModel[]> {
    return this.#modelsFor(this.preferred, signal)
  }

  selectDefault(installed: readonly InstalledModel[]): InstalledModel | null {
    return this.preferred === null ? selectFirstModel(installed) : findModel(installed, this.preferred)
  }

  close(): Promise<void> {
    return this.server.close()
  }

  async choose(name: string | null, signal: AbortSignal): Promise<InstalledModel> {
    return this.#choose(await this.#modelsFor(name ?? this.preferred, signal), name)
  }

  async load(name: string | null, signal: AbortSignal): Promise<LoadedModel> {
    const { model, contextTokens } = await this.#prepare(name, [], signal)
    const request = new AbortController()
    const parts = this.#loading(model.name, contextTokens, AbortSignal.any([signal, request.signal]))
    for await (const _ of withTimeouts(parts, this.limits, (reason) => request.abort(reason)));
    return { model: model.name, contextTokens }
  }

  async *#loading(name: string, contextTokens: number | null, signal: AbortSignal) {
    await this.server.load(name, contextTokens, signal)
    yield { kind: 'activity' } as const
  }

  async chat(request: ChatRequest, signal: AbortSignal) {
    let text = ''
    let loaded: LoadedModel | null = null
    for await (const part of this.stream(request, signal)) {
      if (part.kind === 'start') loaded = { model: part.model, contextTokens: part.contextTokens }
      else if (part.kind === 'text') text += part.text
      else {
        const { kind: _, ...end } = part
        return { ...loaded!, ...end, text: finishAnswer(text) }
      }
    }
    throw createInterruptedAnswerError()
  }

  async *stream(request: ChatRequest, signal: AbortSignal): AsyncGenerator<ModelPart, void, undefined> {
    const estimate = estimateTokens(request.messages)
    const { model, contextTokens } = await this.#prepare(request.model ?? null, request.messages, signal)
    yield { kind: 'start', model: model.name, loaded: model.loaded, contextTokens }
    const serverRequest = {
      model: model.name,
      messages: request.messages,
      contextTokens,
      schema: request.schema ?? null,
    }
    const controller = new AbortController()
    const parts = this.server.answer(serverRequest, AbortSignal.any([signal, controller.signal]))
    let isBlank = true
    const timed = withTimeouts(parts, this.limits, (reason) => controller.abort(reason))
    try {
      for await (const part of filterAnswerText(timed, this.limits.answerCharacters)) {
        if (part.kind === 'text') {
          isBlank &&= part.text.trim() === ''
          yield part
        } else {
          const { reason, hasThought, promptTokens, responseTokens } = part
          const cutoff = explainCutoff({ reason, promptTokens, responseTokens, contextTokens, prompt: estimate })
          if (isBlank) throw createNoAnswerError({ hasThought, cutoff })
          const notices = [
            ...(cutoff === null ? [] : [`${cutoff.message} ${cutoff.advice}`]),
            ...(isPromptTruncated(estimate, { promptTokens, contextTokens })
              ? [formatTruncationNotice(contextTokens!)]
              : []),
          ]
          const notice = notices.length === 0 ? null : notices.join(' ')
          yield { kind: 'end', complete: cutoff === null, cutoff, promptTokens, responseTokens, notice }
          return
        }
      }
    } finally {
      controller.abort()
    }
    throw createInterruptedAnswerError()
  }

  /** Chooses the model that will answer and the length of the context to request. */
  async #prepare(
    name: string | null,
    messages: ChatRequest['messages'],
    signal: AbortSignal,
  ): Promise<{ model: InstalledModel; contextTokens: number | null }> {
    const model = await this.choose(name, signal)
    const maxContext = await this.#findMaxContext(model, signal)
    const chosen = chooseContext(estimateTokens(messages), maxContext)
    if (chosen === null) throw createPromptTooLongError()
    return { model, contextTokens: this.server.acceptsContextLength ? chosen : maxContext }
  }

  /** The listed models. If there are none and the server may serve unlisted models, the named model. */
  async #modelsFor(named: string | null, signal: AbortSignal): Promise<InstalledModel[]> {
    const listed = await this.server.listModels(signal)
    if (listed !== null && (listed.length > 0 || !this.server.canServeUnlisted)) return listed
    if (named !== null) return [createUnlistedModel(named)]
    if (listed === null) throw createListMissingError(this.address)
    return listed
  }

  #choose(installed: readonly InstalledModel[], name: string | null): InstalledModel {
    const chosen = name === null ? this.selectDefault(installed) : findModel(installed, name)
    if (chosen) return chosen
    const requested = name ?? this.preferred
    if (requested !== null) throw createModelMissingError(requested, this.address)
    const hint =
      this.address.api === 'ollama'
        ? 'Install one: ollama pull llama3.2'
        : 'Start the server with a model, or set STUDIO_LLM_MODEL to the name of a model that it serves without listing it.'
    throw new StudioError('llm_model_missing', `No language model is installed at ${this.host}.`, { hint })
  }

  async #findMaxContext(model: InstalledModel, signal: AbortSignal): Promise<number | null> {
    const known = this.#maxContexts.get(model.name)
    if (known !== undefined) return known
    const reported = await this.server.findMaxContext(model, signal)
    if (reported !== null) this.#maxContexts.set(model.name, reported)
    return reported
  }
}

function formatTruncationNotice(contextTokens: number): string {
  return `The prompt was longer than the model's context of ${contextTokens} tokens and was truncated. The answer may ignore parts of it.`
}
