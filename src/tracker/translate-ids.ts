import { StudioError } from '../kernel'
import type {
  ChangeOutcome,
  ItemChange,
  ItemLink,
  ItemPage,
  LinkChanges,
  MissingItem,
  NewItem,
  Tracker,
  TrackerItem,
  TreeLink,
} from './tracker'
import { translateParts } from './translate-parts'

type Ids = ReadonlyMap<number, number>

/** Translates between the IDs of a tracker and the local numbers of its items. */
export interface IdTranslation {
  /** The local numbers by ID; an ID without a number is not in the result. */
  findLocal(remoteIds: readonly number[], signal: AbortSignal): Promise<Ids>
  /** The local numbers of all IDs. An ID without a number gets one. */
  allocateLocal(remoteIds: readonly number[], signal: AbortSignal): Promise<Ids>
  /** The IDs by local number; a number of another tracker is not in the result. */
  findRemote(localNumbers: readonly number[], signal: AbortSignal): Promise<Ids>
}

const FOREIGN = 'It is no work item of this tracker.'

/** The same tracker with local numbers instead of its own IDs, so that items of several trackers never have the same ID. */
export function translateIds(tracker: Tracker, ids: IdTranslation): Tracker {
  const toRemote = async (id: number, signal: AbortSignal): Promise<number> => {
    const remote = (await ids.findRemote([id], signal)).get(id)
    if (remote !== undefined) return remote
    throw new StudioError('not_found', `${tracker.name} has no work item with the number ${id} of this workspace.`, {
      hint: 'Specify the item by its key in the tracker.',
    })
  }
  /** The IDs in the order of the numbers, and the numbers that are not of this tracker. */
  const split = async (locals: readonly number[], signal: AbortSignal) => {
    const found = await ids.findRemote(locals, signal)
    const foreign = [...new Set(locals)].filter((id) => !found.has(id))
    return {
      remoteIds: locals.flatMap((id) => found.get(id) ?? []),
      missing: foreign.map((id): MissingItem => ({ id, reason: FOREIGN })),
    }
  }
  const toLocalItems = async (items: readonly TrackerItem[], signal: AbortSignal): Promise<TrackerItem[]> => {
    const locals = await ids.allocateLocal([...new Set(items.flatMap(listIds))], signal)
    return items.map((item) => translateItem(item, locals))
  }
  const toLocalItem = async (item: TrackerItem, signal: AbortSignal) => (await toLocalItems([item], signal))[0]!
  const toLocalList = async (remoteIds: readonly number[], signal: AbortSignal): Promise<number[]> => {
    const locals = await ids.allocateLocal(remoteIds, signal)
    return remoteIds.map((id) => locals.get(id)!)
  }
  const toLocalMissing = async (missing: readonly MissingItem[], signal: AbortSignal): Promise<MissingItem[]> => {
    const locals = await toLocalList(
      missing.map(({ id }) => id),
      signal,
    )
    return missing.map((item, index) => ({ ...item, id: locals[index]! }))
  }
  const toRemoteNewItem = async (item: NewItem, signal: AbortSignal): Promise<NewItem> => ({
    ...item,
    parentId: item.parentId === null ? null : await toRemote(item.parentId, signal),
  })
  const toLocalTrees = async (trees: ReadonlyMap<number, readonly TreeLink[]>, signal: AbortSignal) => {
    const all = [...trees].flatMap(([root, links]) => [root, ...links.flatMap((l) => [l.parentId, l.childId])])
    const locals = await ids.allocateLocal([...new Set(all)], signal)
    return new Map(
      [...trees].map(([root, links]) => [
        locals.get(root)!,
        links.map((link) => ({ parentId: locals.get(link.parentId)!, childId: locals.get(link.childId)! })),
      ]),
    )
  }
  return {
    get name() {
      return tracker.name
    },
    kind: tracker.kind,
    capabilities: tracker.capabilities,
    parts: translateParts(tracker.parts, { toRemote, toLocalItem, toLocalList }),
    resolveIdentity: (signal) => tracker.resolveIdentity(signal),
    async resolveKeys(keys, signal) {
      const found = await tracker.resolveKeys(keys, signal)
      const locals = await ids.allocateLocal([...new Set(found.values())], signal)
      return new Map([...found].map(([key, id]) => [key, locals.get(id)!]))
    },
    getItem: async (id, signal) => toLocalItem(await tracker.getItem(await toRemote(id, signal), signal), signal),
    async getItems(locals, options) {
      const { remoteIds, missing } = await split(locals, options.signal)
      const read = await tracker.getItems(remoteIds, options)
      return {
        items: await toLocalItems(read.items, options.signal),
        missing: [...missing, ...(await toLocalMissing(read.missing, options.signal))],
      }
    },
    async *readItems(locals, options): AsyncGenerator<ItemPage> {
      const { signal, known } = options
      const { remoteIds, missing } = await split(locals, signal)
      if (missing.length > 0) yield { items: [], unchanged: [], missing }
      const remoteByLocal = await ids.findRemote([...(known?.keys() ?? [])], signal)
      const remoteKnown = new Map(
        [...(known ?? [])].flatMap(([id, shape]) => (remoteByLocal.has(id) ? [[remoteByLocal.get(id)!, shape]] : [])),
      )
      for await (const page of tracker.readItems(remoteIds, { ...options, known: known && remoteKnown })) {
        yield {
          items: await toLocalItems(page.items, signal),
          unchanged: await toLocalList(page.unchanged, signal),
          missing: await toLocalMissing(page.missing, signal),
        }
      }
    },
    getShape: async (id, signal) => tracker.getShape(await toRemote(id, signal), signal),
    async readChanges(position, options) {
      const changes = await tracker.readChanges(position, options)
      if (changes === null) return null
      // An item without a number is in no workspace, so its change does not matter.
      const locals = await ids.findLocal([...changes.changed.keys()], options.signal)
      const changed = [...changes.changed].flatMap(([id, rev]): [number, number | null][] =>
        locals.has(id) ? [[locals.get(id)!, rev]] : [],
      )
      return { ...changes, changed: new Map(changed) }
    },
    async findReadableItems(locals, signal) {
      const { remoteIds } = await split(locals, signal)
      const readable = await tracker.findReadableItems(remoteIds, signal)
      return readable === null ? null : new Set(await toLocalList([...readable], signal))
    },
    async explainAbsence(locals, signal) {
      const { remoteIds } = await split(locals, signal)
      const found = await tracker.explainAbsence(remoteIds, signal)
      const numbers = await ids.findLocal([...found.keys()], signal)
      return new Map([...found].map(([id, reason]) => [numbers.get(id)!, reason]))
    },
    async search(query, signal) {
      const found = await tracker.search(query, signal)
      return { ...found, ids: await toLocalList(found.ids, signal) }
    },
    async getTree(rootId, signal) {
      const remote = await toRemote(rootId, signal)
      return (await toLocalTrees(new Map([[remote, await tracker.getTree(remote, signal)]]), signal)).get(rootId)!
    },
    async getTrees(rootIds, signal) {
      const { remoteIds, missing } = await split(rootIds, signal)
      const trees = await toLocalTrees(await tracker.getTrees(remoteIds, signal), signal)
      for (const { id } of missing) trees.set(id, [])
      return trees
    },
    async findChildren(locals, signal) {
      const { remoteIds } = await split(locals, signal)
      const children = await tracker.findChildren(remoteIds, signal)
      return children === null ? null : new Set(await toLocalList([...children], signal))
    },
    async findByType(query, signal) {
      const found = await tracker.findByType(query, signal)
      return { ...found, ids: await toLocalList(found.ids, signal) }
    },
    checkCredential: (signal) => tracker.checkCredential(signal),
    describeProcess: (signal, parts) => tracker.describeProcess(signal, parts),
    ...(tracker.listFurtherFields && { listFurtherFields: (signal) => tracker.listFurtherFields!(signal) }),
    listIterations: (signal) => tracker.listIterations(signal),
    ...(tracker.listNamedIterations && { listNamedIterations: () => tracker.listNamedIterations!() }),
    listAllowedValues: (typeName, field, signal) => tracker.listAllowedValues(typeName, field, signal),
    async updateItems(changes, options) {
      const { signal } = options
      const remotes = await ids.findRemote([...new Set(changes.flatMap(listChangedIds))], signal)
      const toSend = changes.filter((change) => listChangedIds(change).every((id) => remotes.has(id)))
      const outcomes = await tracker.updateItems(
        toSend.map((change) => translateChange(change, remotes)),
        options,
      )
      const applied = outcomes.flatMap((outcome) => (outcome.status === 'applied' ? [outcome.item] : []))
      const items = await afterSending(toLocalItems(applied, signal))
      let count = 0
      const sent = outcomes.map((outcome, index): ChangeOutcome => {
        const { id } = toSend[index]!
        if (outcome.status !== 'applied') return { ...outcome, id }
        return 'message' in items ? { id, status: 'unknown', ...items } : { ...outcome, id, item: items[count++]! }
      })
      const bySent = new Map(toSend.map((change, index) => [change, sent[index]!]))
      return changes.map(
        (change) =>
          bySent.get(change) ?? { id: change.id, status: 'rejected', message: describeForeign(change, remotes) },
      )
    },
    listTextLosses: async (id, fields, signal) => tracker.listTextLosses(await toRemote(id, signal), fields, signal),
    listPropertyFields: (item, signal) => tracker.listPropertyFields(item, signal),
    async createItem(item, options) {
      const { signal } = options
      const outcome = await tracker.createItem(await toRemoteNewItem(item, signal), options)
      if (outcome.status !== 'created' || outcome.id === null) return outcome
      const ids = await afterSending(toLocalList([outcome.id], signal))
      if ('message' in ids) return { status: 'unknown', ...ids }
      const items = outcome.item && (await afterSending(toLocalItems([outcome.item], signal)))
      return { ...outcome, id: ids[0]!, item: items === null || 'message' in items ? null : items[0]! }
    },
    async findCreatedItem(item, signal) {
      const found = await tracker.findCreatedItem(await toRemoteNewItem(item, signal), signal)
      return found && toLocalItem(found, signal)
    },
    async removeMarker(id, marker, signal) {
      const { isGone, item } = await tracker.removeMarker(await toRemote(id, signal), marker, signal)
      return { isGone, item: item && (await toLocalItem(item, signal)) }
    },
    listComments: async (id, options) => tracker.listComments(await toRemote(id, options.signal), options),
    addComment: async (comment, signal) =>
      tracker.addComment({ ...comment, itemId: await toRemote(comment.itemId, signal) }, signal),
    registerHook: (hook, signal) => tracker.registerHook(hook, signal),
    probe: (signal) => tracker.probe(signal),
    close: () => tracker.close(),
  }
}

/** What was sent cannot be taken back, so that a local number cannot be stored is part of the outcome and no error. */
async function afterSending<Value extends object>(work: Promise<Value>): Promise<Value | { message: string }> {
  return work.catch((error: unknown) => {
    if (!(error instanceof StudioError)) throw error
    return { message: `The tracker did what was requested, but the result could not be stored: ${error.message}` }
  })
}

function listIds(item: TrackerItem): number[] {
  const { id, parentId, predecessorIds, successorIds, relatedIds } = item
  return [id, ...(parentId === null ? [] : [parentId]), ...predecessorIds, ...successorIds, ...relatedIds]
}

function translateItem(item: TrackerItem, locals: Ids): TrackerItem {
  const translate = (ids: readonly number[]) => ids.map((id) => locals.get(id)!)
  return {
    ...item,
    id: locals.get(item.id)!,
    parentId: item.parentId === null ? null : locals.get(item.parentId)!,
    predecessorIds: translate(item.predecessorIds),
    successorIds: translate(item.successorIds),
    relatedIds: translate(item.relatedIds),
  }
}

function listLinks({ add, remove }: LinkChanges): ItemLink[] {
  return [...add, ...remove]
}

function listChangedIds({ id, links }: ItemChange): number[] {
  return [id, ...(links ? listLinks(links).map((link) => link.id) : [])]
}

function translateChange(change: ItemChange, remotes: Ids): ItemChange {
  const translate = (links: readonly ItemLink[]) => links.map((link) => ({ ...link, id: remotes.get(link.id)! }))
  const { links } = change
  return {
    ...change,
    id: remotes.get(change.id)!,
    ...(links && { links: { add: translate(links.add), remove: translate(links.remove) } }),
  }
}

function describeForeign({ id }: ItemChange, remotes: Ids): string {
  return remotes.has(id) ? 'A link leads to a work item of another tracker.' : FOREIGN
}
