import type { ResultOf } from '../../../src/catalog'
import { toArgument } from '../../../src/kernel/text/item-reference'
import { pluralize } from '../../../src/kernel/text/text'
import { showMentions } from '../../../src/rich-text'
import { type Canvas, printable, printableLine, wrapText } from '../../terminal/layout'
import { formatUserTime } from '../../terminal/local-time'

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
  { reference, comment, text, notes }: ResultOf<'items.comment'>,
  canvas: Canvas,
): string {
  const { colors } = canvas
  const noteLines = notes.map((note) => `${colors.warn('note:')} ${printable(note)}\n`).join('')
  if (comment === null)
    return `${colors.strong(printableLine(`New comment on ${reference}`))}\n${wrapText(printable(showMentions(text.trimEnd())), canvas.width)}\n${noteLines}`
  return `${colors.good('✓')} Comment ${comment.id} added to ${printableLine(reference)}\n${noteLines}`
}

function renderComment({ author, createdAt, text }: Comment, canvas: Canvas): string {
  const name = author === null ? 'Unknown' : printableLine(author.displayName)
  const when = createdAt === null ? '' : canvas.colors.faint(` ${formatUserTime(createdAt)}`)
  return `${canvas.colors.strong(name)}${when}\n${wrapText(printable(showMentions(text.trimEnd())), canvas.width)}\n`
}
