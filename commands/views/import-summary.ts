import type { z } from 'zod'
import type { importFeature } from '../../src/items/operations/import-feature'
import type { importSingle } from '../../src/items/operations/import-single'
import { pluralize } from '../../src/kernel/text'
import { type Canvas, printableLine } from '../layout'

export function renderFeatureImport(answer: z.infer<typeof importFeature.output>, { colors }: Canvas): string {
  const { feature, byType } = answer
  const total = answer.imported + answer.updated + answer.unchanged
  const lines = [
    `${colors.good('✓')} ${colors.strong(`#${feature.id} ${printableLine(feature.title)}`)}`,
    `  ${pluralize(total, 'item')}: ${answer.imported} new, ${answer.updated} updated, ${answer.unchanged} unchanged`,
    `  ${Object.entries(byType)
      .map(([type, count]) => `${count} ${printableLine(type)}`)
      .join(', ')}`,
    ...answer.skipped.map(({ id, reason }) => `  ${colors.warn(`skipped #${id}: ${printableLine(reason)}`)}`),
    ...answer.notes.map(({ id, reason }) => `  ${colors.warn(`#${id}: ${printableLine(reason)}`)}`),
  ]
  return `${lines.join('\n')}\n`
}

export function renderItemImports(answer: z.infer<typeof importSingle.output>, { colors }: Canvas): string {
  const lines = [
    ...answer.imported.map(
      (item) =>
        `${colors.good('✓')} #${item.id} ${printableLine(item.title)}  ${colors.faint(printableLine(item.state))}`,
    ),
    ...answer.failed.map(({ id, reason }) => `${colors.bad('✗')} #${id} ${printableLine(reason)}`),
  ]
  return `${lines.join('\n')}\n`
}
