import { equalsIgnoringCase } from '../../kernel/text/text'
import { parseStoryFile } from '../../rich-text'

/** Names of the input of a new item; all other names are fields of the tracker. */
const INPUT_NAMES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    type: 'type',
    workitemtype: 'type',
    title: 'title',
    parent: 'parentId',
    parentid: 'parentId',
  }),
)

/**
 * A new work item from a JSON or Markdown file, as input of its creation. Throws `invalid` if the file cannot be parsed.
 * @param name the name of the file in error messages
 */
export function parseItemFile(source: string, name: string): Record<string, unknown> {
  const { fields: given, texts } = parseStoryFile(source, name)
  const { title, description, acceptanceCriteria } = texts ?? {}
  const input: Record<string, unknown> = title === undefined ? {} : { title }
  const fields: Record<string, unknown> = {
    ...(description === undefined ? {} : { Description: description }),
    ...(acceptanceCriteria === undefined ? {} : { 'Acceptance Criteria': acceptanceCriteria }),
  }
  for (const [field, value] of Object.entries(given)) {
    const target = INPUT_NAMES.get(field.toLowerCase().replace(/[^a-z]/g, ''))
    if (target !== undefined) input[target] = target === 'parentId' ? value : toText(value)
    else if (equalsIgnoringCase(field, 'fields') && typeof value === 'object') Object.assign(fields, value)
    else fields[field] = Array.isArray(value) ? value.map(String).join('; ') : value
  }
  return { ...input, fields }
}

/** A title can look like a number. */
function toText(value: unknown): unknown {
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value
}
