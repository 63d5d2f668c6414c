import type { IndexStats } from './search-indexes'

/** The statistics as every surface shows them. */
export function statsAnswer(stats: IndexStats) {
  const { devops, draft, folder } = stats.entities
  return { ...stats, total: devops + draft + folder }
}
