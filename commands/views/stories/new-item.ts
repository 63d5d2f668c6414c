import type { ResultOf } from '../../../src/catalog'
import { type Canvas, facts, printable, printableLine, wrapText } from '../../terminal/layout'
import { pageText } from '../page-text'
import { renderPlannedUploads } from './planned-uploads'
import { isTextChange, renderTextChange } from './text-change'

type Created = ResultOf<'items.create'>
type Change = Created['changes'][number]

export function renderNewItem(created: Created, canvas: Canvas): string {
  const { dryRun, reference, type, parentReference, url, changes, uploads, notes } = created
  const { colors } = canvas
  const place = parentReference === null ? '' : ` below ${printableLine(parentReference)}`
  if (!dryRun) {
    const title = changes.find(({ field }) => field === 'Title')?.to ?? ''
    const page = url === null ? '' : `${pageText(url)}\n`
    const name = printableLine(`${type} ${reference}`)
    const images = renderPlannedUploads(uploads, { dryRun })
    const head = `${colors.good('✓')} Created ${name}${place}: ${printableLine(String(title))}\n${images}${page}`
    return head.concat(...notes.map((note) => wrapText(`${colors.warn('note:')} ${printable(note)}\n`, canvas.width)))
  }
  return `${colors.strong(`New ${printableLine(type)}${place}`)}\n${renderChanges(changes, canvas)}${renderPlannedUploads(uploads, { dryRun })}Dry run: nothing was created.\n`
}

/** The fields of an item that a change sets: short ones as facts, long texts as a comparison of their lines. */
export function renderChanges(changes: readonly Change[], canvas: Canvas): string {
  const { colors } = canvas
  const short = changes.filter((change) => !isTextChange(change))
  const texts = changes.filter(isTextChange).map((change) => {
    const conversion = change.storedAs === 'html' ? colors.faint(' (Markdown, sent as HTML)') : ''
    return `${colors.strong(printableLine(change.field))}${conversion}\n${renderTextChange(change, canvas)}`
  })
  return facts(
    canvas,
    short.map((change) => [printableLine(change.field), formatShortChange(change)]),
  ).concat(...texts)
}

function formatShortChange({ from, to }: Change): string {
  const [before, after] = [from, to].map((value) => (value === null ? '(empty)' : printableLine(String(value))))
  return from === null ? after! : `${before} → ${after}`
}
