import type { Database } from '../../storage'
import type { IdTranslation } from '../../tracker'
import {
  allocateLocalNumbers,
  ensureFurtherTracker,
  findFurtherTracker,
  findLocalNumbers,
  findRemoteIds,
} from '../queries/further-trackers'

/**
 * The stable local numbers of one tracker other than the default one. A number never changes, so those that were read or committed once
 * are not read again.
 */
export function createItemNumbers(
  db: Database,
  { name, identify }: { name: string; identify(signal: AbortSignal): Promise<string> },
): IdTranslation {
  const locals = new Map<number, number>()
  const remotes = new Map<number, number>()
  const remember = (numbers: ReadonlyMap<number, number>) => {
    for (const [remoteId, local] of numbers) {
      locals.set(remoteId, local)
      remotes.set(local, remoteId)
    }
  }
  const select = (ids: readonly number[], known: ReadonlyMap<number, number>) =>
    new Map(ids.flatMap((id): [number, number][] => (known.has(id) ? [[id, known.get(id)!]] : [])))
  const findLocal: IdTranslation['findLocal'] = async (remoteIds, signal) => {
    const unknown = remoteIds.filter((id) => !locals.has(id))
    if (unknown.length > 0) {
      const identity = await identify(signal)
      remember(
        await db.read(async (tx) => {
          const trackerId = await findFurtherTracker(tx, identity)
          return trackerId === null ? new Map<number, number>() : findLocalNumbers(tx, trackerId, unknown)
        }),
      )
    }
    return select(remoteIds, locals)
  }
  return {
    findLocal,
    async allocateLocal(remoteIds, signal) {
      const unknown = remoteIds.filter((id) => !locals.has(id))
      const found = unknown.length === 0 ? unknown : [...(await findLocal(unknown, signal)).keys()]
      if (found.length < unknown.length) {
        const identity = await identify(signal)
        const missing = unknown.filter((id) => !locals.has(id))
        remember(
          await db.write(async (tx) =>
            allocateLocalNumbers(tx, await ensureFurtherTracker(tx, { identity, name }), missing),
          ),
        )
      }
      return select(remoteIds, locals)
    },
    async findRemote(localNumbers, signal) {
      const unknown = localNumbers.filter((id) => !remotes.has(id))
      if (unknown.length > 0) {
        const identity = await identify(signal)
        const found = await db.read(async (tx) => {
          const trackerId = await findFurtherTracker(tx, identity)
          return trackerId === null ? new Map<number, number>() : findRemoteIds(tx, trackerId, unknown)
        })
        remember(new Map([...found].map(([local, remoteId]) => [remoteId, local])))
      }
      return select(localNumbers, remotes)
    },
  }
}
