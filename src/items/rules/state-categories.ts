import type { StateCategory } from '../../tracker'

const CATEGORIES: Record<string, readonly StateCategory[]> = {
  open: ['Proposed', 'InProgress', 'Resolved'],
  done: ['Completed'],
  proposed: ['Proposed'],
  inprogress: ['InProgress'],
  resolved: ['Resolved'],
  completed: ['Completed'],
  removed: ['Removed'],
}

/** The state categories that a text means: `open`, `done`, or the name of one in any case (`in progress`). */
export function findCategories(text: string): readonly StateCategory[] {
  const name = text.toLowerCase().replace(/[\s_-]/g, '')
  return Object.hasOwn(CATEGORIES, name) ? CATEGORIES[name]! : []
}
