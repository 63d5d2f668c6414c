import type { ResultOf } from '../../../src/catalog'
import { type Canvas, printable, printableLine, wrapText } from '../../terminal/layout'
import { pageText } from '../page-text'
import { renderChanges } from './new-item'
import { renderPlannedUploads } from './planned-uploads'

type Published = ResultOf<'items.publish-draft'>

export function renderPublication(published: Published, canvas: Canvas): string {
  const { changes, conflicts, uploads, notes, url, dryRun } = published
  const { colors } = canvas
  const shown = dryRun ? renderChanges(changes, canvas) : ''
  const noteLines = notes.map((note) => wrapText(`${colors.warn('note:')} ${printable(note)}\n`, canvas.width))
  const page = url !== null && !dryRun ? `${pageText(url)}\n` : ''
  return [
    headline(published, canvas),
    shown,
    renderPlannedUploads(uploads, { dryRun }),
    ...conflicts.map((one) => renderConflict(one, canvas)),
    ...noteLines,
    page,
  ].join('')
}

function headline(
  { dryRun, action, draftId, reference, type, parentReference, changes, conflicts, rev }: Published,
  { colors }: Canvas,
): string {
  const kind = printableLine(type)
  const place = parentReference === null || action === 'update' ? '' : ` below ${printableLine(parentReference)}`
  const item = `${kind} ${printableLine(reference ?? '')}`
  if (dryRun) {
    if (action === 'create') return `${colors.strong(`New ${kind}${place} from draft ${draftId}`)}\n`
    if (changes.length > 0 || conflicts.length > 0)
      return `${colors.strong(`${item}, revision ${rev}, from draft ${draftId}`)}\n`
    return `Draft ${draftId} has no changes for ${item}.\n`
  }
  if (action === 'create') return `${colors.good('✓')} Created ${item}${place} from draft ${draftId}\n`
  return changes.length > 0
    ? `${colors.good('✓')} Updated ${item} from draft ${draftId}: revision ${rev}\n`
    : `Draft ${draftId} has no changes for ${item}.\n`
}

function renderConflict(
  { field, draft, tracker, merged, undecided }: Published['conflicts'][number],
  canvas: Canvas,
): string {
  if (undecided.length > 0) {
    const title = `${canvas.colors.bad('conflict:')} The draft changes ${printableLine(field)} beside what was removed from the draft, so the place of the edit in the item is not known.\n`
    const edits = undecided.map((block) => `Edited: ${printable(block)}\n`)
    return [title, ...edits].map((line) => wrapText(line, canvas.width)).join('')
  }
  const title = `${canvas.colors.bad('conflict:')} ${printableLine(field)} was changed in the draft and in the tracker.\n`
  const values = (value: unknown) => (value === null ? '(empty)' : printable(String(value)))
  const text = merged === null ? `Draft:   ${values(draft)}\nTracker: ${values(tracker)}` : printable(merged)
  return `${title}${wrapText(text, canvas.width)}\n`
}
