import { catalog, formatCommand, loadOperation, type Operations } from '../catalog'
import { execute, executeStream, StudioError, withPlainHint } from '../kernel'
import { openStudio as open } from '../studio'
import type { CallOptions, OpenOptions, StudioLibrary } from './public-types'

export { type ErrorBody, type ErrorDetail, errorBody, StudioError } from '../kernel'

export type { CallOptions, OpenOptions, StudioLibrary } from './public-types'

/** Opens studio. Nothing is read or created before the first call. */
export function openStudio({
  env = process.env,
  cwd = process.cwd(),
  tenant,
  onNotice,
}: OpenOptions = {}): StudioLibrary {
  const studio = open({ env, cwd, flags: { tenant }, surface: 'library', onNotice })
  const contextFor = ({ signal, onProgress }: CallOptions) =>
    studio.context({ actor: { kind: 'terminal', tenant: studio.settings.tenant }, signal, progress: onProgress })
  return {
    operations: Object.keys(catalog) as (keyof Operations)[],
    async call(id, input, options = {}) {
      return execute(await known(id), input ?? {}, contextFor(options)).catch(rethrow)
    },
    async *stream(id, input, options = {}) {
      try {
        yield* executeStream(await known(id), input ?? {}, contextFor(options))
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
