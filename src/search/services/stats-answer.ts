import type { IndexStats } from './search-index-provider'

/** The statistics as every surface shows them. */
export function toStatsOutput(stats: IndexStats) {
  const { devops, draft, folder } = stats.entities
  return { ...stats, total: devops + draft + folder }
}
