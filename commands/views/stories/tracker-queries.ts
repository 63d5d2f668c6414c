import type { ResultOf } from '../../../src/catalog'
import { type Canvas, printableLine, table } from '../../terminal/layout'
import { renderItemImports } from './imports'
import { foundItems } from './tracker'

export function renderQueries({ language, queries }: ResultOf<'queries.list'>, canvas: Canvas): string {
  if (queries.length === 0)
    return `The tracker shows no saved queries. Run one in ${language}: studio query run --text <query>\n`
  return `${table(canvas, queries, [
    { title: 'ID', text: ({ id }) => id },
    { title: 'NAME', text: ({ name }) => name },
    { title: language, text: ({ text }) => (text ?? '').replace(/\s+/g, ' '), shrink: 'cut' },
  ])}\n`
}

export function renderQueryResults({ results, total }: ResultOf<'queries.run'>, canvas: Canvas): string {
  if (results.length === 0) return 'The query finds nothing in this project.\n'
  const all = total === null ? `${results.length} found` : `${results.length} of ${total} found`
  return `${foundItems(results, canvas)}\n${all}\n`
}

export function renderQueryImport(answer: ResultOf<'queries.import'>, canvas: Canvas): string {
  if (answer.imported.length + answer.failed.length === 0) return 'The query finds nothing in this project.\n'
  return `${canvas.colors.strong(printableLine(answer.query.split('\n')[0]!))}\n${renderItemImports(answer, canvas)}`
}
