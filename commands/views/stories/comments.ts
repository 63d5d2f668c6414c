import type { ResultOf } from '../../../src/catalog'
import { toArgument } from '../../../src/kernel/text/item-reference'
import { pluralize } from '../../../src/kernel/text/text'
import { showMentions } from '../../../src/rich-text'
import { type Canvas, printable, printableLine, wrapText } from '../../terminal/layout'
import { formatUserTime } from '../../terminal/local-time'
import { renderPlannedUploads } from './planned-uploads'

type Comment = ResultOf<'items.comments'>['comments'][number]

export function renderComments({ reference, total, comments }: ResultOf<'items.comments'>, canvas: Canvas): string {
  if (comments.length === 0) return `Work item ${toArgument(printableLine(reference))} has no comments.\n`
  const rest =
    total > comments.length
      ? `${comments.length} of ${total} comments. More: --count ${total}`
      : pluralize(total, 'comment')
  return `${comments.map((comment) => renderComment(comment, canvas)).join('\n')}\n${rest}\n`
}

export function renderAddedComment(
  { dryRun, reference, comment, text, uploads, notes }: ResultOf<'items.comment'>,
  canvas: Canvas,
): string {
  const { colors } = canvas
  const images = renderPlannedUploads(uploads, { dryRun })
  const noteLines = notes.map((note) => `${colors.warn('note:')} ${printable(note)}\n`).join('')
  if (comment === null)
    return `${colors.strong(printableLine(`New comment on ${reference}`))}\n${wrapText(printable(showMentions(text.trimEnd())), canvas.width)}\n${images}${noteLines}`
  return `${colors.good('✓')} Comment ${comment.id} added to ${printableLine(reference)}\n${images}${noteLines}`
}

export function renderEditedComment(answer: ResultOf<'items.edit-comment'>, canvas: Canvas): string {
  const { colors } = canvas
  const notes = answer.notes.map((note) => `${colors.warn('note:')} ${printable(note)}\n`).join('')
  if (!answer.dryRun) return `${colors.good('✓')} Comment ${answer.comment.id} changed\n${notes}`
  const after = wrapText(printable(showMentions(answer.text.trimEnd())), canvas.width)
  return `${renderComment(answer.comment, canvas)}${colors.strong('becomes')}\n${after}\n${notes}`
}

export function renderDeletedComment({ dryRun, comment }: ResultOf<'items.delete-comment'>, canvas: Canvas): string {
  return dryRun ? renderComment(comment, canvas) : `${canvas.colors.good('✓')} Comment ${comment.id} deleted\n`
}

function renderComment({ id, author, createdAt, text }: Comment, canvas: Canvas): string {
  const name = author === null ? 'Unknown' : printableLine(author.displayName)
  const when = `${canvas.colors.faint(` ${createdAt === null ? '' : `${formatUserTime(createdAt)} `}#${id}`)}`
  return `${canvas.colors.strong(name)}${when}\n${wrapText(printable(showMentions(text.trimEnd())), canvas.width)}\n`
}
