import * as z from 'zod'
import { equalsIgnoringCase } from '../../../kernel/text/text'
import { readChangeResult, toOutcome } from '../../services/change-result'
import { createMultipart } from '../../services/requests/multipart'
import { TrackerError } from '../../services/requests/tracker-error'
import { decodePath } from '../../services/tracker-address'
import type { AttachmentOutcome, AttachmentReader, AttachmentWriter, RemoteAttachment } from '../../tracker-parts'
import type { ItemParts } from '../item-reader'
import { mapItem, toPerson } from '../map-item'
import { addComment, readNotes } from './notes'

/** As GitLab writes the files of a project in texts, with a secret of 32 hexadecimal digits. */
const UPLOADS = /\/uploads\/([0-9a-f]{32})\/([^\s)"'<>\]]{1,255})/gi

/** By default, GitLab takes files of 100 MB. */
const MAX_BYTES = 100 * 1024 * 1024

const WireUpload = z.object({ url: z.string(), markdown: z.string().optional() })

/** GitLab lists no files of an item: they are those that its description and its notes show. */
export function createAttachmentReader(parts: ItemParts): AttachmentReader {
  const { client, reader, graphql } = parts
  return {
    async list(itemId, signal) {
      const wire = (await reader.source.readWires([itemId], signal)).get(itemId)
      if (wire === undefined) throw reader.createNotFoundError(itemId)
      const { wires } = await readNotes(itemId, { limit: Number.POSITIVE_INFINITY, signal }, graphql)
      const { createdAt } = mapItem(wire)
      const place = findPlace(wire.namespace.fullPath, wire.workItemType.name, parts)
      const texts = [
        { text: wire.widgets.description ?? '', createdAt, author: null },
        ...wires.reverse().map(({ body, createdAt, author }) => ({ text: body, createdAt, author: author ?? null })),
      ]
      const found = new Map<string, RemoteAttachment>()
      for (const { text, createdAt, author } of texts)
        for (const [url, secret = '', file = ''] of text.matchAll(UPLOADS)) {
          const id = `${place}/uploads/${secret}/${file}`
          const person = author && toPerson(author)
          if (!found.has(id))
            found.set(id, { id, name: decodePath(file), size: null, mediaType: null, author: person, createdAt, url })
        }
      return [...found.values()]
    },
    open({ id }, position, signal) {
      const [, place = '', secret = '', file = ''] =
        /^((?:projects|groups)\/[\w.%-]+)\/uploads\/([0-9a-f]{32})\/([^/]+)$/i.exec(id) ?? []
      if (file === '') throw new TrackerError('not_found', 'GitLab has no file with this ID.')
      const name = encodeURIComponent(decodePath(file))
      return client.openContent({ path: `/api/v4/${place}/uploads/${secret}/${name}` }, position, signal)
    },
  }
}

export function createAttachmentWriter(parts: ItemParts): AttachmentWriter {
  const { client, graphql, reader } = parts
  return {
    maxBytes: MAX_BYTES,
    /** A file belongs to an item by a text that names it. A note does so until another text does. */
    async add({ itemId, name, mediaType, content }, signal): Promise<AttachmentOutcome> {
      const wire = (await reader.source.readWires([itemId], signal)).get(itemId)
      if (wire === undefined) throw reader.createNotFoundError(itemId)
      if (!isOfProject(wire.namespace.fullPath, parts))
        return { status: 'rejected', message: 'GitLab takes files for work items of the project alone.' }
      const place = findPlace(wire.namespace.fullPath, wire.workItemType.name, parts)
      const upload = createMultipart({}, { field: 'file', name, mediaType, content })
      const send = () =>
        readChangeResult(
          client.write({ method: 'POST', path: `/api/v4/${place}/uploads`, upload }, signal),
          ({ json }, error) => {
            const parsed = WireUpload.safeParse(json)
            if (error === null && parsed.success) return { kind: 'done', data: parsed.data }
            if (error?.effect === 'none') return { kind: 'rejected', message: error.message }
            return {
              kind: 'unknown',
              message: error?.message ?? 'The response of the tracker has an unexpected shape.',
            }
          },
        )
      const first = await send()
      // A file that no text names is attached to nothing, so that it may be sent again.
      const sent = first.kind === 'unknown' && !signal.aborted ? await send() : first
      if (sent.kind === 'refused') throw sent.error
      if (sent.kind !== 'done') return toOutcome(sent)
      const { url } = sent.data
      const [[, secret = '', file = ''] = []] = [...url.matchAll(UPLOADS)]
      if (secret === '') return { status: 'unknown', message: 'The response of the tracker has an unexpected shape.' }
      const { wires } = await readNotes(itemId, { limit: 1, signal }, graphql)
      const after = Number(wires[0]?.id.split('/').at(-1) ?? 0)
      const text = sent.data.markdown ?? `[${name.replace(/[[\]\\]/g, '\\$&')}](${url})`
      const noted = await addComment({ itemId, text, after }, signal, graphql)
      if (noted.status !== 'added') return noted
      const { author, createdAt } = noted.comment
      const id = `${place}/uploads/${secret}/${file}`
      return { status: 'added', attachment: { id, name, size: content.size, mediaType, author, createdAt, url } }
    },
  }
}

const isOfProject = (fullPath: string, { graphql }: ItemParts) => equalsIgnoringCase(fullPath, graphql.address.path)

/** Epics are of groups, which have files of their own. */
function findPlace(fullPath: string, type: string, parts: ItemParts): string {
  const kind = !isOfProject(fullPath, parts) && equalsIgnoringCase(type, 'Epic') ? 'groups' : 'projects'
  return `${kind}/${encodeURIComponent(fullPath)}`
}
