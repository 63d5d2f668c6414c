import type { ResultOf } from '../../../src/catalog'
import { toArgument } from '../../../src/kernel/text/item-reference'
import { type Canvas, printable, printableLine, table } from '../../terminal/layout'

export function renderTransitions(answer: ResultOf<'items.transitions'>, canvas: Canvas): string {
  const name = toArgument(printableLine(answer.reference))
  const head = `Work item ${name} is ${canvas.colors.strong(printableLine(answer.state))}.`
  if (answer.transitions.length === 0) return `${head} No state can follow, or your account may not move it.\n`
  const rows = table(canvas, answer.transitions, [
    { title: 'STATE', text: ({ state }) => state },
    { title: 'CATEGORY', text: ({ category }) => category ?? '' },
    { title: 'STEP', text: ({ name }) => name ?? '' },
    { title: 'REQUIRES', text: ({ required }) => required.map(describeRequired).join('; ') },
  ])
  return `${head} It may become:\n\n${rows}\n`
}

function describeRequired({ field, allowedValues }: { field: string; allowedValues: string[] | null }): string {
  return allowedValues === null ? field : `${field} (${allowedValues.join(', ')})`
}

export function renderDeletedItem(answer: ResultOf<'items.delete'>, { colors }: Canvas): string {
  const name = printableLine(`${answer.reference} ${answer.title}`)
  if (answer.dryRun) {
    const end = answer.canBeRestored
      ? 'It would go to the recycle bin of the tracker.'
      : colors.warn('It could not be brought back.')
    return `${colors.strong(name)}\n${printableLine(`${answer.type}, ${answer.state}`)}\n${end}\n`
  }
  const more = answer.message === null ? '' : `${printable(answer.message)}\n`
  return `${colors.good('✓')} Deleted ${name}\n${more}`
}

export function renderRestoredItem(answer: ResultOf<'items.restore'>, { colors }: Canvas): string {
  return `${colors.good('✓')} ${printableLine(`${answer.reference} ${answer.title}`)} is back  ${colors.faint(printableLine(answer.state))}\n`
}
