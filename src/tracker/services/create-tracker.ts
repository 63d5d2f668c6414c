import type { TrackerKind } from '../adapters'
import type { KnownShapes, ProcessPart, ReadOptions, Tracker, TreeLink } from '../tracker'
import { getCapabilities } from './capabilities'
import type { ItemReader } from './item-reader'
import type { RetryingClient } from './requests/retrying-client'
import type { TrackerSettings } from './tracker-settings'

/** What an adapter with an item reader has. */
interface Foundation<Wire> {
  kind: TrackerKind
  settings: Pick<TrackerSettings, 'name'>
  /** The project, for messages. */
  project: string
  client: RetryingClient
  reader: ItemReader<Wire>
  metadata: {
    /** Reads it now. Throws `invalid` if the project cannot be read. */
    read(signal: AbortSignal): Promise<unknown>
    describeProcess: Tracker['describeProcess']
    /** Absent if the values depend on the type. */
    listAllowedValues?(referenceName: string, signal: AbortSignal): Promise<string[] | null>
  }
  /**
   * `missing` has the roots that cannot be read, perhaps with the reason. Without it, a root without children is read to see whether it can
   * be.
   */
  readTrees(
    rootIds: readonly number[],
    signal: AbortSignal,
  ): Promise<{ trees: Map<number, TreeLink[]>; missing?: ReadonlySet<number> | ReadonlyMap<number, Error> }>
}

/** Completes the methods of an adapter, which may replace any of those that follow from what it is built of. */
export function createTracker<Wire>(
  foundation: Foundation<Wire>,
  own: Omit<Tracker, keyof ReturnType<typeof derive>> & Partial<Tracker>,
): Tracker {
  return { ...derive(foundation), ...own }
}

function derive<Wire>({ kind, settings, project, client, reader, metadata, readTrees }: Foundation<Wire>) {
  return {
    name: settings.name ?? client.access.address.label,
    kind,
    capabilities: getCapabilities(kind),
    getItem: (id: number, signal: AbortSignal) => reader.readItem(id, signal),
    getItems: (ids: readonly number[], options: ReadOptions) => reader.readItems(ids, options),
    readItems: (ids: readonly number[], options: ReadOptions & { known?: KnownShapes }) =>
      reader.readPages(ids, options),
    getShape: (id: number, signal: AbortSignal) => reader.readShape(id, signal),
    readChanges: async () => null,
    findReadableItems: async () => null,
    explainAbsence: async () => new Map(),
    async getTree(rootId: number, signal: AbortSignal) {
      const { trees, missing } = await readTrees([rootId], signal)
      const links = trees.get(rootId) ?? []
      const reason = missing && 'get' in missing && missing.get(rootId)
      if (missing?.has(rootId)) throw reason || reader.createNotFoundError(rootId)
      if (missing === undefined && links.length === 0) await reader.readShape(rootId, signal)
      return links
    },
    getTrees: async (rootIds: readonly number[], signal: AbortSignal) => (await readTrees(rootIds, signal)).trees,
    findChildren: async () => null,
    describeProcess: (signal: AbortSignal, parts?: readonly ProcessPart[]) => metadata.describeProcess(signal, parts),
    listAllowedValues: async (_: string, name: string, signal: AbortSignal) =>
      (await metadata.listAllowedValues?.(name, signal)) ?? null,
    listTextLosses: async () => [],
    async probe(signal: AbortSignal) {
      await metadata.read(signal)
      return { project, aheadMs: client.toTrackerTime(0) }
    },
    close: () => client.close(),
  } satisfies Partial<Tracker>
}
