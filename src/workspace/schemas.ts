import * as z from 'zod'

/** An instant: ISO 8601, UTC, with milliseconds. */
export const Instant = z.string().describe('ISO 8601 UTC with milliseconds')

export const ItemId = z.int().min(1).describe('Work item ID in the tracker')
export const FolderId = z.int().min(1).describe('Folder ID')
export const DraftId = z.int().min(1).describe('Draft (working copy) ID')

export const Person = z.object({
  displayName: z.string(),
  uniqueName: z.string().nullable(),
})

export const StateCategory = z.enum(['Proposed', 'InProgress', 'Resolved', 'Completed', 'Removed'])

const TextFormat = z.enum(['html', 'markdown'])

export const Blocker = z.object({
  by: z.enum(['tag', 'field', 'predecessor']).describe('The signal that says so'),
  itemId: z.int().nullable().describe('The predecessor that is still open; null for a tag or a field'),
  evidence: z.string().describe('What was found, in words'),
})

/** A cached work item, as every surface shows it. */
export const WorkItem = z.object({
  id: z.int(),
  rev: z.int(),
  type: z.string(),
  title: z.string(),
  state: z.string(),
  stateCategory: StateCategory.nullable(),
  assignedTo: Person.nullable(),
  areaPath: z.string(),
  iterationPath: z.string(),
  tags: z.array(z.string()),
  storyPoints: z.number().nullable(),
  priority: z.number().nullable(),
  parentId: z.int().nullable(),
  description: z.string().nullable().describe('As the tracker keeps it'),
  descriptionFormat: TextFormat.nullable(),
  acceptanceCriteria: z.string().nullable().describe('As the tracker keeps it'),
  acceptanceCriteriaFormat: TextFormat.nullable(),
  blocked: z.array(Blocker),
  url: z.string(),
  changedAt: Instant,
  localRev: z.int().describe('Revision of the snapshot kept here'),
  remoteRev: z.int().describe("The tracker's revision when it was last asked"),
  fetchedAt: Instant,
})
export type WorkItem = z.infer<typeof WorkItem>

/** A draft story: a working copy that belongs to this workspace alone. */
export const Draft = z.object({
  id: z.int(),
  title: z.string(),
  description: z.string().nullable(),
  acceptanceCriteria: z.string().nullable(),
  storyPoints: z.number().nullable(),
  assignedTo: z.string().nullable(),
  areaPath: z.string().nullable(),
  iterationPath: z.string().nullable(),
  tags: z.string().nullable().describe('One string: `a; b`'),
  folderId: z.int(),
  sourceItemId: z.int().nullable().describe('The work item that it was copied from'),
  sourceRev: z.int().nullable(),
  createdAt: Instant,
  updatedAt: Instant,
})
export type Draft = z.infer<typeof Draft>

export const Folder = z.object({
  id: z.int(),
  name: z.string(),
  parentId: z.int().nullable(),
  draftCount: z.int(),
})
export type Folder = z.infer<typeof Folder>
