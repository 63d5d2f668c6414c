import { StudioError } from '../../kernel'
import type { Client } from './client'
import { isRefusal } from './fault'
import { Once } from './once'
import { WireProjects } from './wire'

const hint = 'Set STUDIO_TRACKER_PROJECT to the name of the project.'
const mostNamed = 20

/** The project of the settings, or else the only one that the token may see, found at the first call that needs it. */
export class ProjectName {
  /** Null until it is known. */
  known: string | null
  readonly #found: Once<string>

  constructor(configured: string | null, client: Client) {
    this.known = configured
    this.#found = new Once((signal) => discover(client, signal))
  }

  async get(signal: AbortSignal): Promise<string> {
    this.known ??= await this.#found.get(signal)
    return this.known
  }
}

async function discover(client: Client, signal: AbortSignal): Promise<string> {
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
    throw new StudioError('invalid', 'The tracker shows no project to this token.', { hint })
  }
  const more = names.length > mostNamed ? ` and ${names.length - mostNamed} more` : ''
  throw new StudioError(
    'invalid',
    `The tracker has several projects: ${names.slice(0, mostNamed).join(', ')}${more}. Which one is meant?`,
    { hint },
  )
}
