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
export async function inspectModel(check: ModelCheck): Promise<Finding[]> {
  const address = new URL(check.host).origin
  if (check.offline) return [ok('model', `${address}; not checked (--offline).`)]
  const signal = AbortSignal.timeout(check.timeoutMs)
  try {
    return [await inspectInstalledModels(check, address, signal)]
  } catch (error) {
    if (!(error instanceof StudioError)) throw error
    const message = signal.aborted ? `${address} does not respond within ${check.timeoutMs / 1000} s.` : error.message
    const explained = `${message} Only chat, refine and AI briefings need a model.`
    return [warning('model', explained, error.hint ?? 'See: studio help environment')]
  }
}

async function inspectInstalledModels(
  { model, preferred }: ModelCheck,
  address: string,
  signal: AbortSignal,
): Promise<Finding> {
  const server = await model()
  const installed = await server.listModels(signal)
  const names = installed.filter(({ canAnswer }) => canAnswer).map(({ name }) => name)
  const listed = listNames(names)
  if (names.length === 0) {
    const fix = 'Install one there, for example: ollama pull llama3.2'
    return warning('model', `${address} has no model that can answer.`, fix)
  }
  const chosen = server.selectDefault(installed)
  return chosen === null
    ? warning(
        'model',
        `${address} has no model ${preferred}; it has ${listed}.`,
        'Set STUDIO_LLM_MODEL to one of them.',
      )
    : ok('model', `${address} answers with ${chosen.name}; installed: ${listed}.`)
}

const MAX_LISTED_MODELS = 5

function listNames(names: readonly string[]): string {
  const more = names.length > MAX_LISTED_MODELS ? ` and ${names.length - MAX_LISTED_MODELS} more` : ''
  return `${names.slice(0, MAX_LISTED_MODELS).join(', ')}${more}`
}
