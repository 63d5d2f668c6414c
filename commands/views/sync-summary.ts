import type { z } from 'zod'
import type { syncItems } from '../../src/items/operations/sync-items'
import { pluralize } from '../../src/kernel/text'
import { type Canvas, printableLine, table } from '../layout'

export function renderSync(answer: z.infer<typeof syncItems.output>, canvas: Canvas): string {
  if (answer.checked === 0) return 'There is nothing to check. Import some: studio import <featureId>\n'
  const { colors } = canvas
  const changes =
    answer.changes.length === 0
      ? ''
      : `${table(
          answer.changes,
          [
            { title: 'ID', text: (change) => String(change.id), align: 'right' },
            { title: 'REVISION', text: (change) => revisions(change) },
            { title: 'CHANGED', text: (change) => change.fields.map(lastPart).join(', ') },
          ],
          canvas,
        )}\n`
  const missing = answer.missing.map(({ id, reason }) => `${colors.warn(`#${id}: ${printableLine(reason)}`)}\n`)
  const counts = [
    `${answer.updated} updated`,
    `${answer.unchanged} unchanged`,
    answer.gone ? `${answer.gone} gone or hidden (their snapshots stay)` : '',
    answer.failed ? `${answer.failed} failed` : '',
  ]
  const mark = answer.failed ? colors.bad('✗') : colors.good('✓')
  const unchecked = answer.accessChecked
    ? ''
    : `${colors.warn('Not looked for: items that your token may no longer read. Look for them: studio item sync --full')}\n`
  return `${changes}${missing.join('')}${unchecked}${mark} ${pluralize(answer.checked, 'item')} checked: ${counts.filter(Boolean).join(', ')}\n`
}

function revisions({ fromRev, toRev }: { fromRev: number; toRev: number }): string {
  return fromRev === toRev ? String(toRev) : `${fromRev} → ${toRev}`
}

/** `State` of `System.State`: the whole name is in the JSON. */
function lastPart(field: string): string {
  return field.slice(field.lastIndexOf('.') + 1)
}
