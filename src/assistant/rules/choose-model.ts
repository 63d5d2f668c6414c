import type { InstalledModel } from '../services/model'

/** The installed model of that name. `llama3.2` and `llama3.2:latest` are the same. */
export function findModel(models: readonly InstalledModel[], name: string): InstalledModel | null {
  const tagged = (text: string) => (text.includes(':') ? text : `${text}:latest`)
  return (
    models.find((model) => model.name === name) ?? models.find((model) => tagged(model.name) === tagged(name)) ?? null
  )
}

/** The model that answers where none is named: the first that can. */
export function firstModel(models: readonly InstalledModel[]): InstalledModel | null {
  return models.find((model) => model.answers) ?? null
}

/** A model of which only the name is known. */
export function unlistedModel(name: string): InstalledModel {
  return {
    name,
    sizeBytes: null,
    parameterSize: null,
    quantization: null,
    modifiedAt: null,
    loaded: null,
    contextTokens: null,
    answers: true,
  }
}
