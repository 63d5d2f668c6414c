import { StudioError } from '../../../kernel'
import type { ImportedItems, ItemsFileOptions, StateCategory, StockProcess } from '../../tracker'
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

/** The backlog levels of the stock processes (Agile, Scrum, CMMI, Basic). A bug stands where each team wants it. */
const LEVEL_OF_TYPE = new Map([
  ['epic', 3],
  ['feature', 2],
  ['user story', 1],
  ['product backlog item', 1],
  ['requirement', 1],
  ['task', 0],
])

/** Types beside which an issue is no story. */
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

/** @param types all types that are met: they tell whether it is the process in which an issue is what a story is elsewhere. */
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
