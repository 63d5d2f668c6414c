import * as z from 'zod'

/** An instant: ISO 8601, UTC, with milliseconds. */
export const Instant = z.string().describe('ISO 8601 UTC with milliseconds')

export const ItemId = z.int().min(1).describe('Work item ID in the tracker')
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
