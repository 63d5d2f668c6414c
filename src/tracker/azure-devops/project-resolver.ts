import { StudioError } from '../../kernel'
import { AsyncMemo } from '../services/async-memo'
import type { RetryingClient } from '../services/retrying-client'
import { isRefusal } from '../services/tracker-error'
import { WireProjects } from './wire-schemas'

const hint = 'Set STUDIO_TRACKER_PROJECT to the name of the project.'
const MAX_NAMES_LISTED = 20

/** The project of the settings, or else the only one that the token can see, which is requested when it is first needed. */
export class ProjectResolver {
  readonly #found: AsyncMemo<string>

  constructor(
    public known: string | null,
    client: RetryingClient,
  ) {
    this.#found = new AsyncMemo((signal) => discoverProject(client, signal))
  }

  async get(signal: AbortSignal): Promise<string> {
    this.known ??= await this.#found.get(signal)
    return this.known
  }
}

async function discoverProject(client: RetryingClient, signal: AbortSignal): Promise<string> {
  const { value } = await client
    .read({ method: 'GET', path: '/_apis/projects' }, WireProjects, signal)
    .catch((error: unknown) => {
      if (!isRefusal(error)) throw error
      throw new StudioError('invalid', `The tracker does not list its projects: ${error.message}`, {
        hint,
        cause: error,
      })
    })
  const names = value.map((project) => project.name)
  if (names.length === 1) return names[0]!
  if (names.length === 0) {
    throw new StudioError('invalid', 'The token has access to no project of the tracker.', { hint })
  }
  const more = names.length > MAX_NAMES_LISTED ? ` and ${names.length - MAX_NAMES_LISTED} more` : ''
  throw new StudioError(
    'invalid',
    `The tracker has several projects: ${names.slice(0, MAX_NAMES_LISTED).join(', ')}${more}. Choose one of them.`,
    { hint },
  )
}
