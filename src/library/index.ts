import { catalog, formatCommand, loadOperation } from '../catalog'
import { execute, executeStream, type Progress, type StreamEvent, StudioError, withPlainHint } from '../kernel'
import { openStudio as open } from '../studio'

export { type ErrorBody, type ErrorDetail, errorBody, StudioError } from '../kernel'

export interface OpenOptions {
  /** Replaces the environment variables of the process. */
  env?: NodeJS.ProcessEnv
  /** The folder in which the project's settings file is searched, and to which paths are relative. */
  cwd?: string
  /** The tenant whose docks are used. */
  tenant?: string
  /** Receives notices for a person, such as that the sandbox is used as the tracker. */
  onNotice?(text: string): void
}

export interface CallOptions {
  /** Ends the call; it then fails with the code `interrupted`. */
  signal?: AbortSignal
  onProgress?(step: Progress): void
}

/** The operations of studio in this process, on the same settings and the same database as the command line. */
export interface StudioLibrary {
  /** The ids that `call` takes. */
  readonly operations: readonly string[]
  /** Runs one operation as the person who owns this process. Fails with a `StudioError`. */
  call(id: string, input?: Record<string, unknown>, options?: CallOptions): Promise<unknown>
  /** Runs an operation that streams its answer, part by part. */
  stream(id: string, input?: Record<string, unknown>, options?: CallOptions): AsyncIterable<StreamEvent>
  /** Closes the database and the connection to the tracker. */
  close(): Promise<void>
}

/** Opens studio. Nothing is read or created before the first call. */
export function openStudio({
  env = process.env,
  cwd = process.cwd(),
  tenant,
  onNotice,
}: OpenOptions = {}): StudioLibrary {
  const studio = open({ env, cwd, flags: { tenant }, onNotice })
  const contextFor = ({ signal, onProgress }: CallOptions) =>
    studio.context({ actor: { kind: 'terminal', tenant: studio.settings.tenant }, signal, progress: onProgress })
  return {
    operations: Object.keys(catalog),
    async call(id, input = {}, options = {}) {
      return execute(await known(id), input, contextFor(options)).catch(rethrow)
    },
    async *stream(id, input = {}, options = {}) {
      try {
        yield* executeStream(await known(id), input, contextFor(options))
      } catch (error) {
        await rethrow(error)
      }
    },
    close: () => studio.close(),
  }
}

/** Users of the library get hints as text, with calls as command lines. */
async function rethrow(error: unknown): Promise<never> {
  throw error instanceof StudioError ? await withPlainHint(error, formatCommand) : error
}

function known(id: string) {
  if (Object.hasOwn(catalog, id)) return loadOperation(id)
  throw new StudioError('not_found', `There is no operation ${id}.`, { hint: 'See the list in `operations`.' })
}
