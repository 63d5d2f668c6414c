const LEVEL_NAMES = ['task', 'story', 'feature', 'epic']

/** The common name of the items of a backlog level; null if it has none. A bug is not a story, even if bugs are on the same level. */
export function nameBacklogLevel(level: number | null, type: string): string | null {
  if (level === null || /\b(?:bug|defect)\b/i.test(type)) return null
  return LEVEL_NAMES[level] ?? null
}
