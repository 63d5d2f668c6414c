import type { TrackerKind } from '../adapters'
import type { Tracker, TreeLink } from '../tracker'
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

/** What follows for every such adapter, and what it can only do if the adapter itself does it. */
type Common =
  | 'name'
  | 'kind'
  | 'capabilities'
  | 'getItem'
  | 'getItems'
  | 'readItems'
  | 'getShape'
  | 'readChanges'
  | 'findReadableItems'
  | 'explainAbsence'
  | 'getTree'
  | 'getTrees'
  | 'findChildren'
  | 'describeProcess'
  | 'listAllowedValues'
  | 'listTextLosses'
  | 'probe'
  | 'close'

/** Completes the methods of an adapter, which may replace any of these. */
export function createTracker<Wire>(
  { kind, settings, project, client, reader, metadata, readTrees }: Foundation<Wire>,
  own: Omit<Tracker, Common> & Partial<Tracker>,
): Tracker {
  return {
    name: settings.name ?? client.access.address.label,
    kind,
    capabilities: getCapabilities(kind),
    getItem: (id, signal) => reader.readItem(id, signal),
    getItems: (ids, options) => reader.readItems(ids, options),
    readItems: (ids, options) => reader.readPages(ids, options),
    getShape: (id, signal) => reader.readShape(id, signal),
    readChanges: async () => null,
    findReadableItems: async () => null,
    explainAbsence: async () => new Map(),
    async getTree(rootId, signal) {
      const { trees, missing } = await readTrees([rootId], signal)
      const links = trees.get(rootId) ?? []
      const reason = missing && 'get' in missing && missing.get(rootId)
      if (missing?.has(rootId)) throw reason || reader.createNotFoundError(rootId)
      if (missing === undefined && links.length === 0) await reader.readShape(rootId, signal)
      return links
    },
    getTrees: async (rootIds, signal) => (await readTrees(rootIds, signal)).trees,
    findChildren: async () => null,
    describeProcess: (signal, parts) => metadata.describeProcess(signal, parts),
    listAllowedValues: async (_, name, signal) => (await metadata.listAllowedValues?.(name, signal)) ?? null,
    listTextLosses: async () => [],
    async probe(signal) {
      await metadata.read(signal)
      return { project, aheadMs: client.toTrackerTime(0) }
    },
    close: () => client.close(),
    ...own,
  }
}
