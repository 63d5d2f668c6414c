import { TrackerError } from '../../services/requests/tracker-error'
import type { AttachmentReader, RemoteAttachment } from '../../tracker'
import { parseInstant, parseNumber } from '../field-values'
import type { AdapterParts } from '../item-reader'
import { buildProjectPath } from '../urls'
import type { WireItem, WireRelation } from '../wire-schemas'
import { findShownFiles, isGuid, parseAttachmentUrl, readAttribute } from './attachment-address'

/** Reads the files that are attached to an item, and those that only its texts show. */
export function createAttachmentReader(parts: AdapterParts, webBase: string): AttachmentReader {
  const { address, client, project, reader } = parts
  return {
    async list(itemId, signal) {
      const wire = await reader.readWire(itemId, signal)
      return listAttachments(wire, await project.get(signal), [address.base, webBase])
    },
    async open({ id, name }, position, signal) {
      if (!isGuid(id)) throw new TrackerError('not_found', `'${id}' is not the ID of an attachment of this tracker.`)
      const path = buildProjectPath(await project.get(signal), `_apis/wit/attachments/${id}`)
      return client.openContent({ path, query: { fileName: name, download: 'true' } }, position, signal)
    },
  }
}

/** The oldest first. Texts name files by one of the addresses, a new file is named by the first. */
export function listAttachments(
  { relations, fields }: Pick<WireItem, 'relations' | 'fields'>,
  project: string,
  bases: readonly [string, ...string[]],
): RemoteAttachment[] {
  const attached = (relations ?? []).flatMap((relation) => mapRelation(relation, project, bases[0]))
  const known = new Set(attached.map(({ id }) => id))
  const shown = findShownFiles(fields, bases)
    .filter(({ id }) => !known.has(id))
    .map(({ id, name }) => ({
      ...{ id, name: name || id, size: null, mediaType: null, author: null, createdAt: null },
      url: buildAttachmentUrl(bases[0], project, { id, name }),
    }))
  return [...attached.sort(compareAge), ...shown]
}

function mapRelation({ rel, url, attributes }: WireRelation, project: string, base: string): RemoteAttachment[] {
  const file = rel.toLowerCase() === 'attachedfile' ? parseAttachmentUrl(url) : null
  if (file === null) return []
  const { id } = file
  const name = readAttribute(attributes, 'name') || file.name || id
  const [created] = ['resourceCreatedDate', 'authorizedDate'].flatMap((date) => parseInstant(attributes?.[date]) ?? [])
  return [
    {
      ...{ id, name, size: parseNumber(attributes?.['resourceSize']), mediaType: null, author: null },
      createdAt: created ?? null,
      url: buildAttachmentUrl(base, project, { id, name }),
    },
  ]
}

function compareAge(a: RemoteAttachment, b: RemoteAttachment): number {
  const [first, second] = [a.createdAt ?? '', b.createdAt ?? '']
  return first === second ? 0 : first < second ? -1 : 1
}

/** The address that the editor of the tracker writes into texts. */
function buildAttachmentUrl(base: string, project: string, { id, name }: { id: string; name: string }): string {
  const query = name === '' ? '' : `?fileName=${encodeURIComponent(name)}`
  return `${base}${buildProjectPath(project, `_apis/wit/attachments/${id}`)}${query}`
}
