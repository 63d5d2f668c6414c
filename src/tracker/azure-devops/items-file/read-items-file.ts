import { StudioError } from '../../../kernel'
import type { ItemsFileReading, ToldItems } from '../../told-item'
import { csvItems } from './csv-items'
import { jsonItems } from './json-items'

/** Reads the tracker's CSV export, or work items in JSON. Throws `invalid` for what is neither; a row that cannot be read is told as one. */
export function readItemsFile(text: string, reading: ItemsFileReading): ToldItems {
  const body = text.replace(/^\ufeff/, '')
  const first = body.trimStart()[0]
  if (first === undefined) {
    throw new StudioError('invalid', 'There is nothing in the file.', { hint: FORMS })
  }
  if (first === '[' || first === '{') return jsonItems(body)
  if (first === '<') throw new StudioError('invalid', 'It is a page or XML, not an export.', { hint: FORMS })
  return csvItems(body, reading)
}

const FORMS = "What is taken: the tracker's CSV export, or work items in JSON."
