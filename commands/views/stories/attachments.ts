import type { ResultOf } from '../../../src/catalog'
import { formatByteSize } from '../../../src/kernel/files/byte-size'
import { toArgument } from '../../../src/kernel/text/item-reference'
import { pluralize } from '../../../src/kernel/text/text'
import { type Canvas, printable, printableLine, table } from '../../terminal/layout'
import { formatUserTime } from '../../terminal/local-time'

type Attachment = ResultOf<'items.attachments'>['attachments'][number]

const storedColumn = { title: 'STORED', text: ({ stored }: Attachment) => (stored ? 'yes' : '') }

export function renderAttachments({ reference, attachments }: ResultOf<'items.attachments'>, canvas: Canvas): string {
  if (attachments.length === 0) return `Work item ${toArgument(printableLine(reference))} has no attachments.\n`
  const isStored = attachments.some(({ stored }) => stored)
  return table(canvas, attachments, [
    { title: 'FILE', text: ({ name }) => name, shrink: 'cut' },
    { title: 'SIZE', text: ({ size }) => (size === null ? '' : formatByteSize(size)), align: 'right' },
    { title: 'ADDED', text: ({ createdAt }) => (createdAt === null ? '' : formatUserTime(createdAt)) },
    { title: 'BY', text: ({ author }) => author?.displayName ?? '', shrink: 'cut' },
    ...(isStored ? [storedColumn] : []),
    { title: 'ID', text: ({ id }) => id, below: true },
  ])
}

/** Nothing, if the file itself was written to standard output. */
export function renderDownloads({ to, files }: ResultOf<'items.download-attachments'>, { colors }: Canvas): string {
  if (to === '-') return ''
  if (files.length === 0) return 'The work item has no attachments.\n'
  return files
    .map(({ name, status, path, bytes, message }) => {
      if (status === 'failed') return `${colors.bad('✗')} ${printableLine(name)}: ${printableLine(message ?? '')}\n`
      const size = formatByteSize(bytes ?? 0)
      return status === 'saved'
        ? `${colors.good('✓')} ${printable(path!)} (${size})\n`
        : `${colors.faint('·')} ${printable(path!)} (${size}) was there already\n`
    })
    .join('')
}

export function renderSentFiles(
  { dryRun, reference, files }: ResultOf<'items.attach-files'>,
  { colors }: Canvas,
): string {
  const lines = files.map(({ name, bytes, mediaType, status, message }) => {
    const file = `${printableLine(name)} (${formatByteSize(bytes)}, ${mediaType})`
    if (status === 'planned') return `  ${file}\n`
    if (status === 'added') return `${colors.good('✓')} ${file}\n`
    const reason = { unknown: 'it is not known whether it was attached.', notAttempted: 'not sent.', rejected: '' }[
      status
    ]
    return `${colors.bad('✗')} ${file}: ${[reason, printableLine(message ?? '')].filter(Boolean).join(' ')}\n`
  })
  const head = `${pluralize(files.length, 'file')} ${dryRun ? 'would be attached' : 'for'} ${dryRun ? 'to ' : ''}${printableLine(toArgument(reference))}`
  return `${colors.strong(head)}\n${lines.join('')}`
}
