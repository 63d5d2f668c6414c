import * as z from 'zod'
import { equalsIgnoringCase } from '../../../kernel/text/text'
import { parseResult, readChangeResult, toOutcome } from '../../services/change-result'
import { collectFiles, sendFile } from '../../services/parts/text-files'
import { createMultipart } from '../../services/requests/multipart'
import { TrackerError } from '../../services/requests/tracker-error'
import { decodePath } from '../../services/tracker-address'
import type { AttachmentOutcome, AttachmentReader, AttachmentWriter } from '../../tracker-parts'
import type { ItemParts } from '../item-reader'
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
      const wire = await reader.readWire(itemId, signal)
      const { notes } = await readNotes(itemId, { limit: Number.POSITIVE_INFINITY, signal }, graphql)
      const place = findPlace(wire.namespace.fullPath, wire.workItemType.name, parts)
      const find = (text: string) =>
        [...text.matchAll(UPLOADS)].map(([url, secret = '', file = '']) => {
          return { id: `${place}/uploads/${secret}/${file}`, name: decodePath(file), url }
        })
      return collectFiles([
        { author: null, createdAt: wire.createdAt, files: find(wire.widgets.description ?? '') },
        ...notes.reverse().map(({ comment: { text, author, createdAt } }) => {
          return { author, createdAt, files: find(text.text) }
        }),
      ])
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
      const wire = await reader.readWire(itemId, signal)
      if (!isOfProject(wire.namespace.fullPath, parts))
        return { status: 'rejected', message: 'GitLab takes files for work items of the project alone.' }
      const place = findPlace(wire.namespace.fullPath, wire.workItemType.name, parts)
      const upload = createMultipart({}, { field: 'file', name, mediaType, content })
      const send = async () => {
        const sending = client.write({ method: 'POST', path: `/api/v4/${place}/uploads`, upload }, signal)
        const sent = await readChangeResult(sending, ({ json }, error) => {
          if (error?.effect === 'none') return { kind: 'rejected', message: error.message }
          return error === null ? { kind: 'done', data: json } : { kind: 'unknown', message: error.message }
        })
        return parseResult(sent, (json) => WireUpload.parse(json))
      }
      // A file that no text names is attached to nothing.
      const sent = await sendFile(send, signal)
      if (sent.kind !== 'done') return toOutcome(sent)
      const { url } = sent.data
      const [[, secret = '', file = ''] = []] = [...url.matchAll(UPLOADS)]
      if (secret === '')
        return { status: 'rejected', message: 'GitLab gave an address for the file that is not valid.' }
      const { notes } = await readNotes(itemId, { limit: 1, signal }, graphql)
      const after = notes[0]?.comment.id ?? 0
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
