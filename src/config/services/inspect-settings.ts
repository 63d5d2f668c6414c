import { StudioError } from '../../kernel/errors'
import { type Finding, problem } from '../../kernel/finding'
import type { Settings } from './load-settings'

/** Reports the parts of the settings that are invalid. A command reads only what it uses. */
export function inspectSettings(settings: Settings): Finding[] {
  const errors = new Map<string, StudioError>()
  for (const read of listParts(settings)) {
    try {
      read()
    } catch (error) {
      if (!(error instanceof StudioError)) throw error
      errors.set(error.message, error)
    }
  }
  return [...errors.values()].map(({ message, hint }) => problem('settings', message, hint ?? HINT))
}

/** Throws the error of the first part that is invalid, for a service, which uses all of them. */
export function requireValidSettings(settings: Settings): void {
  for (const read of listParts(settings)) read()
}

function listParts(settings: Settings): (() => unknown)[] {
  return [
    () => settings.dbTo,
    () => settings.tracker,
    () => settings.trackers,
    () => settings.llm,
    () => settings.serve,
    () => settings.auth,
    () => settings.mail.url,
    () => settings.mail.from,
    () => settings.webhooks.allowedNetworks,
  ]
}

const HINT = 'Correct the variable, or the file: studio config list --sources'
