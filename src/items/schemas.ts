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

/** Where an item was read from that the tracker did not give. */
export const FileSource = z.object({
  name: z.string().describe('The file, as it was named'),
  asOf: z
    .string()
    .nullable()
    .describe('What the file shows is no later than this, ISO 8601 UTC; null where nothing tells'),
  importedAt: Instant,
})
export type FileSource = z.infer<typeof FileSource>

/** A cached work item, as every surface shows it. */
export const WorkItem = z.object({
  id: z.int(),
  rev: z.int().describe('0 where it was read from a file that does not tell'),
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
  fetchedAt: Instant.describe('When the tracker gave it; of an item out of a file, the moment that the file shows'),
  fromFile: FileSource.nullable().describe('The file that it was read from; null where the tracker gave it'),
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

/** What a save can change. */
export const DraftContent = Draft.omit({
  id: true,
  sourceItemId: true,
  sourceRev: true,
  createdAt: true,
  updatedAt: true,
})
export type DraftContent = z.infer<typeof DraftContent>

export const DraftVersion = z.object({
  version: z.int().describe('Counts the changes of the draft, from 1'),
  savedAt: Instant,
  restored: z.int().nullable().describe('The version that an undo put back; null where it was saved'),
  changed: z.array(DraftContent.keyof()).describe('What is not as it was in the version before'),
  content: DraftContent,
})
export type DraftVersion = z.infer<typeof DraftVersion>

export const Folder = z.object({
  id: z.int(),
  name: z.string(),
  parentId: z.int().nullable(),
  draftCount: z.int(),
})
export type Folder = z.infer<typeof Folder>

/** Which cached items are meant; all criteria must hold, and null asks for nothing. */
export const FilterCriteria = z.object({
  state: z.string().nullable(),
  assignedTo: z.string().nullable().describe('A name or account; @me is the configured user'),
  search: z.string().nullable(),
})
export type FilterCriteria = z.infer<typeof FilterCriteria>

export const SavedFilter = z.object({
  id: z.int(),
  name: z.string(),
  criteria: FilterCriteria,
  createdAt: Instant,
})
export type SavedFilter = z.infer<typeof SavedFilter>

export const WorkingFilter = z.object({
  criteria: FilterCriteria,
  itemCount: z.int().describe('Cached items that pass it'),
  updatedAt: Instant.nullable().describe('Null where none is kept'),
})
export type WorkingFilter = z.infer<typeof WorkingFilter>
