import type { ResultOf } from '../../../src/catalog'
import { formatByteSize } from '../../../src/kernel/files/byte-size'
import { type Canvas, facts, printableLine, table } from '../../terminal/layout'
import { formatUserTime } from '../../terminal/local-time'

type Attachment = ResultOf<'attachments.list'>[number]

export function renderAddedAttachment({ message, data }: ResultOf<'attachments.add'>, canvas: Canvas): string {
  const details = facts(canvas, [
    ['Attachment', data.id],
    ['Type', data.type],
    ['Size', formatByteSize(data.bytes)],
  ])
  return `${canvas.colors.good('✓')} ${printableLine(message)}\n${details}`
}

export function renderAttachments(list: readonly Attachment[], canvas: Canvas): string {
  if (list.length === 0) return 'No file is attached.\n'
  return table(canvas, list, [
    { title: 'FILE', text: ({ name }) => name, shrink: 'cut' },
    { title: 'SIZE', text: ({ bytes }) => formatByteSize(bytes), align: 'right' },
    { title: 'ADDED', text: ({ addedAt }) => formatUserTime(addedAt) },
    { title: 'BY', text: ({ addedBy }) => addedBy, shrink: 'cut' },
    { title: 'NOTE', text: ({ note }) => note ?? '', shrink: 'wrap' },
    { title: 'ID', text: ({ id }) => id, below: true },
  ])
}
