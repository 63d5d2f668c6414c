import { runInTurns, StudioError } from '../../../kernel'
import type { ImportedItems, ItemsFileOptions, StateCategory, StockProcess } from '../../tracker'
import { parseCsvItems } from './parse-csv-items'
import { parseJsonItems } from './parse-json-items'

/** Reads the tracker's CSV export, or work items in JSON. Throws `invalid` for other files. Invalid rows are part of the result. */
export async function readItemsFile(
  text: string,
  options: ItemsFileOptions,
  signal?: AbortSignal,
): Promise<ImportedItems> {
  const body = text.replace(/^\ufeff/, '')
  const first = body.trimStart()[0]
  if (first === undefined) {
    throw new StudioError('invalid', 'The file is empty.', { hint: ACCEPTED_FORMATS })
  }
  if (first === '[' || first === '{') return parseJsonItems(body)
  if (first === '<') throw new StudioError('invalid', 'It is HTML or XML, not an export.', { hint: ACCEPTED_FORMATS })
  return runInTurns(parseCsvItems(body, options), signal)
}

const ACCEPTED_FORMATS = "Accepted formats: the tracker's CSV export, or work items in JSON."

/** The backlog levels of the stock processes (Agile, Scrum, CMMI, Basic). The level of a bug is a setting of each team. */
const LEVEL_OF_TYPE = new Map([
  ['epic', 3],
  ['feature', 2],
  ['user story', 1],
  ['product backlog item', 1],
  ['requirement', 1],
  ['task', 0],
])

/** In a process with one of these types, an issue is not on the level of stories. */
const STORY_TYPES = ['user story', 'product backlog item', 'requirement']

const CATEGORY_OF_STATE = new Map<string, StateCategory>([
  ['new', 'Proposed'],
  ['proposed', 'Proposed'],
  ['approved', 'Proposed'],
  ['to do', 'Proposed'],
  ['active', 'InProgress'],
  ['committed', 'InProgress'],
  ['in progress', 'InProgress'],
  ['doing', 'InProgress'],
  ['resolved', 'Resolved'],
  ['closed', 'Completed'],
  ['done', 'Completed'],
  ['removed', 'Removed'],
])

/** @param types all types of the file. They show whether the process is Basic, where an issue is on the level of stories. */
export function createStockProcess(types: readonly string[]): StockProcess {
  const isBasic = !types.some((type) => STORY_TYPES.includes(type.toLowerCase()))
  return {
    levelOf(type) {
      const name = type.toLowerCase()
      return name === 'issue' && isBasic ? 1 : (LEVEL_OF_TYPE.get(name) ?? null)
    },
    categoryOf: (state) => CATEGORY_OF_STATE.get(state.toLowerCase()) ?? null,
  }
}
