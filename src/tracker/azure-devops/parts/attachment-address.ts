import { isRecord } from '../../../kernel/json'
import { parseText } from '../field-values'
import { findPathInOrganization } from '../urls'

const GUID = '[\\da-f]{8}-[\\da-f]{4}-[\\da-f]{4}-[\\da-f]{4}-[\\da-f]{12}'
const ATTACHMENT = new RegExp(`/_apis/wit/attachments/(${GUID})(?:\\?([^\\s"'<>()]{0,600}))?`, 'gi')
const WHOLE_GUID = new RegExp(`^${GUID}$`, 'i')
/** The longest beginning of an address: scheme, host, organization and project. */
const MAX_PREFIX = 400

/** A file that an address names. */
export interface NamedFile {
  id: string
  name: string
}

export function isGuid(text: string): boolean {
  return WHOLE_GUID.test(text)
}

/** The file of an address such as `…/_apis/wit/attachments/{ID}?fileName=shot.png`; null if it is none. */
export function parseAttachmentUrl(url: string): NamedFile | null {
  const [found] = url.matchAll(ATTACHMENT)
  return found === undefined ? null : toNamedFile(found)
}

/** The files of this organization, which has these addresses, that the long texts of an item show, each once. */
export function findShownFiles(fields: Record<string, unknown>, bases: readonly string[]): NamedFile[] {
  const files = new Map<string, NamedFile>()
  for (const text of Object.values(fields)) {
    if (typeof text !== 'string') continue
    for (const found of text.matchAll(ATTACHMENT)) {
      const file = toNamedFile(found)
      if (!files.has(file.id) && findPathInOrganization(readPrefix(text, found.index), bases) !== null)
        files.set(file.id, file)
    }
  }
  return [...files.values()]
}

function toNamedFile([, id = '', query = '']: RegExpExecArray): NamedFile {
  const name = [...new URLSearchParams(query.replaceAll('&amp;', '&'))].find(
    ([key]) => key.toLowerCase() === 'filename',
  )
  return { id: id.toLowerCase(), name: name?.[1] ?? '' }
}

/** The characters of the address before a position. */
function readPrefix(text: string, end: number): string {
  let start = end
  while (start > 0 && end - start < MAX_PREFIX && !/[\s"'<>()[\]]/.test(text[start - 1]!)) start -= 1
  return text.slice(start, end)
}

/** The value of an attribute of a relation, of any of the known spellings. */
export function readAttribute(attributes: unknown, name: string): string {
  return isRecord(attributes) ? parseText(attributes[name]) : ''
}
