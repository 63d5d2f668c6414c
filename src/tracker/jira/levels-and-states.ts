import * as z from 'zod'
import { equalsIgnoringCase } from '../../kernel/text/text'
import type { StateCategory } from '../tracker'

export const WireType = z.object({
  id: z.string(),
  name: z.string(),
  subtask: z.boolean().default(false),
  hierarchyLevel: z.int().optional(),
})
export type WireType = z.output<typeof WireType>

const CATEGORIES: Record<string, StateCategory> = { new: 'Proposed', indeterminate: 'InProgress', done: 'Completed' }

export function findCategory(key: string | undefined): StateCategory | null {
  return CATEGORIES[key ?? ''] ?? null
}

/** Jira counts from its requirements: 0 for stories, 1 for epics, -1 for subtasks. Data Center reports no levels. */
export function findLevel({ name, subtask, hierarchyLevel }: Omit<WireType, 'id'>): number {
  if (hierarchyLevel !== undefined) return hierarchyLevel + 1
  if (subtask) return 0
  return equalsIgnoringCase(name, 'Epic') ? 2 : 1
}
