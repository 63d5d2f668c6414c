import { StudioError } from '../kernel'
import type { TrackerItem, TrackerParts } from './tracker'

interface Translation {
  toRemote(id: number, signal: AbortSignal): Promise<number>
  toLocalItem(item: TrackerItem, signal: AbortSignal): Promise<TrackerItem>
  toLocalList(ids: readonly number[], signal: AbortSignal): Promise<number[]>
}

type Parts = Readonly<Partial<TrackerParts>>

/** The same parts, for local numbers instead of the tracker's own IDs. A part that the tracker does not have stays absent. */
export function translateParts(parts: Parts, { toRemote, toLocalItem, toLocalList }: Translation): Parts {
  const { attachments, uploads, transitions, deletion, restoring, commentEditing } = parts
  const { queries, webLinks, webLinkEditing, worklogs } = parts
  const translated: { -readonly [Part in keyof TrackerParts]: TrackerParts[Part] | undefined } = {
    attachments: attachments && {
      list: async (itemId, signal) => attachments.list(await toRemote(itemId, signal), signal),
      open: (attachment, position, signal) => attachments.open(attachment, position, signal),
    },
    uploads: uploads && {
      get maxBytes() {
        return uploads.maxBytes
      },
      ...(uploads.showsByName && { showsByName: (signal) => uploads.showsByName!(signal) }),
      add: async (file, signal) => uploads.add({ ...file, itemId: await toRemote(file.itemId, signal) }, signal),
    },
    transitions: transitions && {
      list: async (itemId, signal) => transitions.list(await toRemote(itemId, signal), signal),
    },
    deletion: deletion && {
      delete: async ({ id, rev }, signal) => deletion.delete({ id: await toRemote(id, signal), rev }, signal),
    },
    restoring: restoring && {
      async restore(id, signal) {
        const outcome = await restoring.restore(await toRemote(id, signal), signal)
        if (outcome.status !== 'applied') return { ...outcome, id }
        const item = await toLocalItem(outcome.item, signal).catch((error: unknown) => {
          if (error instanceof StudioError) return error
          throw error
        })
        return item instanceof StudioError
          ? { id, status: 'unknown', message: `The item was restored, but could not be stored: ${item.message}` }
          : { ...outcome, id, item }
      },
    },
    commentEditing: commentEditing && {
      edit: async (change, signal) =>
        commentEditing.edit({ ...change, itemId: await toRemote(change.itemId, signal) }, signal),
      delete: async (change, signal) =>
        commentEditing.delete({ ...change, itemId: await toRemote(change.itemId, signal) }, signal),
    },
    queries: queries && {
      language: queries.language,
      list: (signal) => queries.list(signal),
      async run(query, limit, signal) {
        const found = await queries.run(query, limit, signal)
        return { ...found, ids: await toLocalList(found.ids, signal) }
      },
    },
    webLinks: webLinks && {
      list: async (itemId, signal) => webLinks.list(await toRemote(itemId, signal), signal),
    },
    webLinkEditing: webLinkEditing && {
      add: async (link, signal) => webLinkEditing.add({ ...link, itemId: await toRemote(link.itemId, signal) }, signal),
      remove: async (link, signal) =>
        webLinkEditing.remove({ ...link, itemId: await toRemote(link.itemId, signal) }, signal),
    },
    worklogs: worklogs && {
      list: async (itemId, options) => worklogs.list(await toRemote(itemId, options.signal), options),
      add: async (entry, signal) => worklogs.add({ ...entry, itemId: await toRemote(entry.itemId, signal) }, signal),
    },
  }
  return Object.fromEntries(Object.entries(translated).filter(([, part]) => part !== undefined)) as Parts
}
