import { StudioError } from '../../kernel'
import { type Finding, ok, warning } from '../../storage'
import type { Model } from './model'

export interface ModelCheck {
  host: string
  /** The model of the settings; null for the first one that is installed. */
  preferred: string | null
  model(): Promise<Model>
  offline: boolean
  timeoutMs: number
}

/** Checks the language model for `studio doctor`. Reports warnings only, because everything else works without a model. */
export async function inspectModel({
  host,
  preferred,
  model,
  offline,
  timeoutMs: limitMs,
}: ModelCheck): Promise<Finding[]> {
  const address = new URL(host).origin
  if (offline) return [ok('model', `${address}; not checked (--offline).`)]
  const signal = AbortSignal.timeout(limitMs)
  try {
    const server = await model()
    const installed = await server.listModels(signal)
    const answering = installed.filter(({ canAnswer: answers }) => answers).map(({ name }) => name)
    if (answering.length === 0)
      return [
        warning(
          'model',
          `${address} has no model that can answer.`,
          'Install one there, for example: ollama pull llama3.2',
        ),
      ]
    const chosen = server.selectDefault(installed)
    if (chosen === null)
      return [
        warning(
          'model',
          `${address} has no model ${preferred}; it has ${listNames(answering)}.`,
          'Set STUDIO_LLM_MODEL to one of them.',
        ),
      ]
    return [ok('model', `${address} answers with ${chosen.name}; installed: ${listNames(answering)}.`)]
  } catch (error) {
    if (!(error instanceof StudioError)) throw error
    const message = signal.aborted ? `${address} does not respond within ${limitMs / 1000} s.` : error.message
    return [
      warning(
        'model',
        `${message} Only chat, refine and AI briefings need a model.`,
        error.hint ?? 'See: studio help environment',
      ),
    ]
  }
}

const MAX_LISTED_MODELS = 5

function listNames(names: readonly string[]): string {
  const more = names.length > MAX_LISTED_MODELS ? ` and ${names.length - MAX_LISTED_MODELS} more` : ''
  return `${names.slice(0, MAX_LISTED_MODELS).join(', ')}${more}`
}
