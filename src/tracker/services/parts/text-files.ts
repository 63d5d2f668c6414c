import type { Person, RemoteAttachment } from '../../tracker'
import type { ChangeResult } from '../change-result'
import { toInstant } from '../instants'

/** A text of an item or a link, with the files that it shows. `id` is that of the file in the tracker. */
export interface FilePlace {
  author: Person | null
  createdAt: string | null
  files: Iterable<{ id: string; name: string; url: string }>
}

/** The files of an item, each once with its first place, for trackers that list none. */
export function collectFiles(places: Iterable<FilePlace>): RemoteAttachment[] {
  const found = new Map<string, RemoteAttachment>()
  for (const { author, createdAt, files } of places)
    for (const { id, name, url } of files)
      if (!found.has(id))
        found.set(id, {
          id,
          name,
          size: null,
          mediaType: null,
          author,
          createdAt: createdAt && toInstant(createdAt),
          url,
        })
  return [...found.values()]
}

const MAX_LABEL_LENGTH = 300

/** The text of the link or image in Markdown whose address is at a place; null if the address is elsewhere. */
export function findLinkLabel(text: string, at: number): string | null {
  const before = text.slice(Math.max(0, at - MAX_LABEL_LENGTH), at)
  if (!before.endsWith('](')) return null
  const start = before.lastIndexOf('[')
  return start === -1 ? '' : before.slice(start + 1, -2).trim()
}

/**
 * Sends a file that is attached to an item only by a later step. So it is sent again after a lost response, and nothing is attached if that
 * fails. Throws if the values are not the reason.
 */
export async function sendFile<Data>(
  send: () => Promise<ChangeResult<Data>>,
  signal: AbortSignal,
): Promise<Extract<ChangeResult<Data>, { kind: 'done' | 'rejected' }>> {
  const first = await send()
  const sent = first.kind === 'unknown' && !signal.aborted ? await send() : first
  if (sent.kind === 'refused') throw sent.error
  if (sent.kind !== 'unknown') return sent
  return { kind: 'rejected', code: 'tracker_answer', message: `The file was not attached. ${sent.message}` }
}
