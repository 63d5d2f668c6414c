import { StudioError } from '../../kernel'
import { AsyncMemo } from '../services/async-memo'
import type { RetryingClient } from '../services/requests/retrying-client'
import { isRefusal } from '../services/requests/tracker-error'
import { DEFAULT_SETTING_NAMES } from '../services/setting-names'
import { WireProjects } from './wire-schemas'

const MAX_NAMES_LISTED = 20

/** The project of the settings, or else the only one that the token can see, which is requested when it is first needed. */
export class ProjectResolver {
  readonly #found: AsyncMemo<string>

  constructor(
    public known: string | null,
    client: RetryingClient,
    setting = DEFAULT_SETTING_NAMES.project,
  ) {
    this.#found = new AsyncMemo((signal) => discoverProject(client, setting, signal))
  }

  async get(signal: AbortSignal): Promise<string> {
    this.known ??= await this.#found.get(signal)
    return this.known
  }
}

async function discoverProject(client: RetryingClient, setting: string, signal: AbortSignal): Promise<string> {
  const { value } = await client
    .read({ method: 'GET', path: '/_apis/projects' }, WireProjects, signal)
    .catch((error: unknown) => {
      if (!isRefusal(error)) throw error
      throw createProjectError(`The tracker does not list its projects: ${error.message}`, setting, error)
    })
  const names = value.map((project) => project.name)
  if (names.length === 1) return names[0]!
  if (names.length === 0) throw createProjectError('The token has access to no project of the tracker.', setting)
  const more = names.length > MAX_NAMES_LISTED ? ` and ${names.length - MAX_NAMES_LISTED} more` : ''
  const listed = `${names.slice(0, MAX_NAMES_LISTED).join(', ')}${more}`
  throw createProjectError(`The tracker has several projects: ${listed}. Choose one of them.`, setting)
}

function createProjectError(message: string, setting: string, cause?: unknown): StudioError {
  const hint = `Set ${setting} to the name of the project.`
  return new StudioError('invalid', message, { hint, cause })
}
