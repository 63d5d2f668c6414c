import { StudioError } from '../../../kernel'
import type { ImportedItems, ItemsFileOptions } from '../../imported-item'
import { parseCsvItems } from './parse-csv-items'
import { parseJsonItems } from './parse-json-items'

/** Reads the tracker's CSV export, or work items in JSON. Throws `invalid` for what is neither; a row that cannot be read is told as one. */
export function readItemsFile(text: string, reading: ItemsFileOptions): ImportedItems {
  const body = text.replace(/^\ufeff/, '')
  const first = body.trimStart()[0]
  if (first === undefined) {
    throw new StudioError('invalid', 'There is nothing in the file.', { hint: ACCEPTED_FORMATS })
  }
  if (first === '[' || first === '{') return parseJsonItems(body)
  if (first === '<') throw new StudioError('invalid', 'It is a page or XML, not an export.', { hint: ACCEPTED_FORMATS })
  return parseCsvItems(body, reading)
}

const ACCEPTED_FORMATS = "What is taken: the tracker's CSV export, or work items in JSON."
