import type { z } from 'zod'
import type { importFeature } from '../../src/items/operations/import-feature'
import type { importSingle } from '../../src/items/operations/import-single'
import { pluralize } from '../../src/kernel/text'
import { type Canvas, printableLine } from '../layout'

export function featureSummary(answer: z.infer<typeof importFeature.output>, { paint }: Canvas): string {
  const { feature, byType } = answer
  const total = answer.imported + answer.updated + answer.unchanged
  const lines = [
    `${paint.good('✓')} ${paint.strong(`#${feature.id} ${printableLine(feature.title)}`)}`,
    `  ${pluralize(total, 'item')}: ${answer.imported} new, ${answer.updated} updated, ${answer.unchanged} unchanged`,
    `  ${Object.entries(byType)
      .map(([type, count]) => `${count} ${printableLine(type)}`)
      .join(', ')}`,
    ...answer.skipped.map(({ id, reason }) => `  ${paint.warn(`skipped #${id}: ${printableLine(reason)}`)}`),
    ...answer.notes.map(({ id, reason }) => `  ${paint.warn(`#${id}: ${printableLine(reason)}`)}`),
  ]
  return `${lines.join('\n')}\n`
}

export function singlesSummary(answer: z.infer<typeof importSingle.output>, { paint }: Canvas): string {
  const lines = [
    ...answer.imported.map(
      (item) =>
        `${paint.good('✓')} #${item.id} ${printableLine(item.title)}  ${paint.faint(printableLine(item.state))}`,
    ),
    ...answer.failed.map(({ id, reason }) => `${paint.bad('✗')} #${id} ${printableLine(reason)}`),
  ]
  return `${lines.join('\n')}\n`
}
