import type { z } from 'zod'
import { pluralize } from '../../src/kernel/text'
import type { indexStats } from '../../src/search/operations/index-stats'
import type { rebuildIndex } from '../../src/search/operations/rebuild-index'
import { type Canvas, facts } from '../layout'

type Stats = z.infer<typeof indexStats.output>

export function renderIndexStats(stats: Stats, canvas: Canvas): string {
  const { devops, draft, folder } = stats.entities
  return facts(
    [
      [
        'Entities',
        `${stats.total}: ${pluralize(devops, 'item')}, ${pluralize(draft, 'draft')}, ${pluralize(folder, 'folder')}`,
      ],
      ['Words', String(stats.terms)],
      ['Last indexed', stats.lastIndexedAt ?? 'never'],
      [
        'Kept',
        {
          files: `beside the database, ${formatSize(stats.bytes)}`,
          database: `in the database, ${formatSize(stats.bytes)}`,
          memory: 'in memory, for one command at a time',
        }[stats.kept],
      ],
    ],
    canvas,
  )
}

export function renderRebuiltIndex(rebuilt: z.infer<typeof rebuildIndex.output>, canvas: Canvas): string {
  const seconds = (rebuilt.durationMs / 1_000).toFixed(1)
  return `${canvas.colors.good('✓')} The search index was made anew in ${seconds} s.\n${renderIndexStats(rebuilt, canvas)}`
}

function formatSize(bytes: number): string {
  return bytes < 1_000_000 ? `${Math.ceil(bytes / 1_000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`
}
