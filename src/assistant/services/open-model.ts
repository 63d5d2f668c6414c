import { StudioError } from '../../kernel'
import { createHttpClient } from '../adapters/http-client'
import { listMissing, modelMissing, promptTooLong, type ServerAddress } from '../adapters/model-errors'
import { ollamaServer } from '../adapters/ollama-server'
import { openaiServer } from '../adapters/openai-server'
import type { ModelServer } from '../adapters/server'
import { chooseContext, estimateTokens, findModel, firstModel, unlistedModel, wasCut } from '../rules/choose-model'
import { removeUnopenedThinking } from '../rules/clean-answer'
import { filterAnswerText } from './filter-answer-text'
import { defaultLimits, type Limits } from './limits'
import type { ChatRequest, InstalledModel, LoadedModel, Model, ModelPart } from './model'
import { withTimeouts } from './timeouts'

export interface ModelSettings {
  host: string
  api: 'ollama' | 'openai'
  /** The model that answers where a call names none; null takes the first that is installed. */
  model: string | null
  limits?: Partial<Limits>
}

/** The language model that the settings name. Nothing is asked of it before the first call. */
export function openModel(settings: ModelSettings): Model {
  const limits = { ...defaultLimits, ...settings.limits }
  const address: ServerAddress = { base: baseOf(settings), api: settings.api }
  const exchange = createHttpClient(address, limits)
  return new ServedModel(settings.api === 'ollama' ? ollamaServer(exchange) : openaiServer(exchange), address, {
    preferred: settings.model,
    limits,
  })
}

/** Servers of the second kind are often named with the version that all their paths begin with. */
function baseOf({ host, api }: ModelSettings): string {
  const { username, password, origin, pathname } = new URL(host)
  if (username || password) {
    throw new StudioError('invalid', 'STUDIO_LLM_HOST must not hold a user name or a password.', {
      hint: 'Set it to an address such as http://127.0.0.1:11434',
    })
  }
  const base = `${origin}${pathname}`.replace(/(?<!\/)\/+$/, '')
  return api === 'openai' ? base.replace(/\/v1$/, '') : base
}

class ServedModel implements Model {
  readonly host: string
  readonly #server: ModelServer
  readonly #address: ServerAddress
  readonly #preferred: string | null
  readonly #limits: Limits
  /** What the server said of a model's longest context, which stays as it is. */
  readonly #mostContext = new Map<string, number>()

  constructor(server: ModelServer, address: ServerAddress, given: { preferred: string | null; limits: Limits }) {
    this.host = server.host
    this.#server = server
    this.#address = address
    this.#preferred = given.preferred
    this.#limits = given.limits
  }

  models(signal: AbortSignal): Promise<InstalledModel[]> {
    return this.#modelsFor(this.#preferred, signal)
  }

  defaultOf(installed: readonly InstalledModel[]): InstalledModel | null {
    return this.#preferred === null ? firstModel(installed) : findModel(installed, this.#preferred)
  }

  close(): Promise<void> {
    return this.#server.close()
  }

  async choose(name: string | null, signal: AbortSignal): Promise<InstalledModel> {
    return this.#choose(await this.#modelsFor(name ?? this.#preferred, signal), name)
  }

  async load(name: string | null, signal: AbortSignal): Promise<LoadedModel> {
    const { model, contextTokens } = await this.#ready(name, [], signal)
    const request = new AbortController()
    const parts = this.#loading(model.name, contextTokens, AbortSignal.any([signal, request.signal]))
    for await (const _ of withTimeouts(parts, this.#limits, (reason) => request.abort(reason)));
    return { model: model.name, contextTokens }
  }

  async *#loading(name: string, contextTokens: number | null, signal: AbortSignal) {
    await this.#server.load(name, contextTokens, signal)
    yield { kind: 'sign' } as const
  }

  async chat(request: ChatRequest, signal: AbortSignal) {
    let text = ''
    let loaded: LoadedModel | null = null
    for await (const part of this.stream(request, signal)) {
      if (part.kind === 'start') loaded = { model: part.model, contextTokens: part.contextTokens }
      else if (part.kind === 'text') text += part.text
      else {
        const { kind: _, ...end } = part
        return { ...loaded!, ...end, text: removeUnopenedThinking(text) }
      }
    }
    throw brokenOff()
  }

  async *stream(request: ChatRequest, signal: AbortSignal): AsyncGenerator<ModelPart, void, undefined> {
    const estimate = estimateTokens(request.messages)
    const { model, contextTokens } = await this.#ready(request.model ?? null, request.messages, signal)
    yield { kind: 'start', model: model.name, loaded: model.loaded, contextTokens }
    const ask = { model: model.name, messages: request.messages, contextTokens, form: request.form ?? null }
    const own = new AbortController()
    const parts = this.#server.answer(ask, AbortSignal.any([signal, own.signal]))
    const patient = withTimeouts(parts, this.#limits, (reason) => own.abort(reason))
    try {
      for await (const part of filterAnswerText(patient, this.#limits.answerCharacters)) {
        if (part.kind === 'text') yield part
        else {
          const { complete, promptTokens, responseTokens } = part
          const notice = wasCut(estimate, { promptTokens, contextTokens }) ? cutNotice(contextTokens!) : null
          yield { kind: 'end', complete, promptTokens, responseTokens, notice }
          return
        }
      }
    } finally {
      own.abort()
    }
    throw brokenOff()
  }

  /** The model that will answer, and the context to ask for. */
  async #ready(
    name: string | null,
    messages: ChatRequest['messages'],
    signal: AbortSignal,
  ): Promise<{ model: InstalledModel; contextTokens: number | null }> {
    const model = await this.choose(name, signal)
    const most = await this.#longestContext(model, signal)
    const chosen = chooseContext(estimateTokens(messages), most)
    if (chosen === null) throw promptTooLong()
    return { model, contextTokens: this.#server.takesContext ? chosen : most }
  }

  /** What the server lists; where it lists nothing, and may serve what it does not list, the model that is named. */
  async #modelsFor(named: string | null, signal: AbortSignal): Promise<InstalledModel[]> {
    const listed = await this.#server.models(signal)
    if (listed !== null && (listed.length > 0 || !this.#server.servesUnlisted)) return listed
    if (named !== null) return [unlistedModel(named)]
    if (listed === null) throw listMissing(this.#address)
    return listed
  }

  #choose(installed: readonly InstalledModel[], name: string | null): InstalledModel {
    const chosen = name === null ? this.defaultOf(installed) : findModel(installed, name)
    if (chosen) return chosen
    const wanted = name ?? this.#preferred
    if (wanted !== null) throw modelMissing(wanted, this.#address)
    const hint =
      this.#address.api === 'ollama'
        ? 'Get one: ollama pull llama3.2'
        : 'Start the server with a model, or set STUDIO_LLM_MODEL to the name of one that it serves without listing it.'
    throw new StudioError('llm_model_missing', `No language model is installed at ${this.host}.`, { hint })
  }

  async #longestContext(model: InstalledModel, signal: AbortSignal): Promise<number | null> {
    const known = this.#mostContext.get(model.name)
    if (known !== undefined) return known
    const asked = await this.#server.mostContext(model, signal)
    if (asked !== null) this.#mostContext.set(model.name, asked)
    return asked
  }
}

function brokenOff(): StudioError {
  return new StudioError('llm_answer', "The language model's answer broke off.", { hint: 'Try again.' })
}

function cutNotice(contextTokens: number): string {
  return `The prompt was longer than the model's context of ${contextTokens} tokens and was cut: the answer may not know all of it.`
}
