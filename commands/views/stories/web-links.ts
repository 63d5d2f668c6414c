import type { ResultOf } from '../../../src/catalog'
import { toArgument } from '../../../src/kernel/text/item-reference'
import { formatSpentTime } from '../../../src/kernel/text/spent-time'
import { pluralize } from '../../../src/kernel/text/text'
import { type Canvas, printableLine, table } from '../../terminal/layout'
import { formatUserTime } from '../../terminal/local-time'

export function renderWebLinks({ reference, links }: ResultOf<'items.web-links'>, canvas: Canvas): string {
  if (links.length === 0) return `Work item ${toArgument(printableLine(reference))} has no such links.\n`
  return `${table(canvas, links, [
    { title: 'KIND', text: ({ kind }) => kind.replace('-', ' ') },
    { title: 'TITLE', text: ({ title }) => title, shrink: 'cut' },
    { title: 'ADDRESS', text: ({ url }) => url },
  ])}\n`
}

type Change = ResultOf<'items.add-web-link'> | ResultOf<'items.remove-web-link'>

export function renderAddedLink({ dryRun, reference, link }: Change, { colors }: Canvas): string {
  const name = toArgument(printableLine(reference))
  if (dryRun || link === null) return `The link would be added to ${name}. Dry run: nothing was sent.\n`
  return `${colors.good('✓')} ${name} is linked to the ${link.kind.replace('-', ' ')} ${printableLine(link.title)}\n`
}

export function renderRemovedLink({ dryRun, reference, link }: Change, { colors }: Canvas): string {
  const what = `${toArgument(printableLine(reference))} to ${printableLine(link?.url ?? '')}`
  return dryRun
    ? `Would remove the link of ${what}. Dry run: nothing was sent.\n`
    : `${colors.good('✓')} Removed the link of ${what}\n`
}

export function renderWorklogs({ reference, total, worklogs }: ResultOf<'items.worklogs'>, canvas: Canvas): string {
  if (worklogs.length === 0) return `No time was recorded on work item ${toArgument(printableLine(reference))}.\n`
  const rows = table(canvas, worklogs, [
    { title: 'BEGUN', text: ({ startedAt }) => formatUserTime(startedAt) },
    { title: 'TIME', text: ({ seconds }) => formatSpentTime(seconds), align: 'right' },
    { title: 'WHO', text: ({ author }) => author?.displayName ?? '' },
    { title: 'WHAT', text: ({ text }) => text.split('\n')[0]!, shrink: 'cut' },
  ])
  const rest = total > worklogs.length ? `${worklogs.length} of ${pluralize(total, 'entry', 'entries')}.\n` : ''
  return `${rows}\n${rest}`
}

export function renderLoggedWork(
  { dryRun, reference, seconds }: ResultOf<'items.log-work'>,
  { colors }: Canvas,
): string {
  const what = `${formatSpentTime(seconds)} on work item ${toArgument(printableLine(reference))}`
  return dryRun ? `Would record ${what}. Dry run: nothing was sent.\n` : `${colors.good('✓')} Recorded ${what}\n`
}
