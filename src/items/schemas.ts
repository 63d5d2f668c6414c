import * as z from 'zod'
import { SECOND_FORM } from '../kernel/input/json-schema'

export const Instant = z.string().describe('ISO 8601 UTC with milliseconds')

export const TrackerName = z
  .string()
  .min(1)
  .max(20)
  .describe('Name of another tracker in the settings (default: the default tracker)')

const itemIds = z.registry<{ isItemId: true }>()

/** Matches every text that may be the reference of a work item. */
export const REFERENCE_PATTERN = /[#:]|\w-\d/

/** Callers may also send a reference, which `resolveInput` replaces by the ID. */
export const ItemId = z
  .int()
  .min(1)
  .meta({
    description: 'Work item ID in the tracker',
    [SECOND_FORM]: {
      type: 'string',
      pattern: REFERENCE_PATTERN.source,
      description: 'Its reference: #101, jira:ABC-7, gh:owner/repository#12',
    },
  })
  .register(itemIds, { isItemId: true })

/** Marks the schema of a text with IDs, separated by commas, as one where callers may also send references. */
export function takesReferences<Schema extends z.ZodType>(schema: Schema): Schema {
  itemIds.add(schema, { isItemId: true })
  return schema
}

/** Whether a schema is an `ItemId`, with whatever description, an array of them or a text with them. */
export function isItemIdSchema(schema: z.core.$ZodType): boolean {
  if (itemIds.get(schema as z.ZodType)?.isItemId) return true
  if (schema instanceof z.ZodArray) return isItemIdSchema(schema.element)
  return schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable
    ? isItemIdSchema(schema.unwrap())
    : false
}

export const Person = z.object({
  displayName: z.string(),
  uniqueName: z.string().nullable(),
})

export const StateCategory = z.enum(['Proposed', 'InProgress', 'Resolved', 'Completed', 'Removed'])

/** The value of a field in a difference or a change. */
export const FieldValue = z.union([z.string(), z.number(), z.boolean(), z.null()])
export type FieldValue = z.infer<typeof FieldValue>

export const Reference = z.string().describe('Its reference, such as #101, ABC-7 or gh:owner/repository#12')

export const GoneReason = z
  .string()
  .nullable()
  .describe('Why it is gone, such as that it was deleted; null if the tracker gives no reason')

/** Something to know about an item of an answer. */
export const ItemNote = z.object({ id: z.int(), reference: Reference, reason: z.string() })

export const TextFormat = z.enum(['html', 'markdown'])

/** A field of an item before and after a change. */
export const FieldChange = z.object({
  field: z.string(),
  from: FieldValue,
  to: FieldValue,
  storedAs: TextFormat.nullable().describe(
    'How the tracker stores a long text, which is in Markdown here; null for other values',
  ),
})
export type FieldChange = z.infer<typeof FieldChange>

/** The tracker's number of a comment. */
export const CommentId = z.int().min(0).describe('The ID of the comment, as items.comments shows it')

export const Comment = z.object({
  id: z.int(),
  author: Person.nullable(),
  createdAt: Instant.nullable(),
  changedAt: Instant.nullable(),
  text: z.string().describe('In Markdown'),
})
export type Comment = z.infer<typeof Comment>

/** Images of the texts of a call. */
export const PlannedUploads = z
  .array(z.object({ name: z.string(), bytes: z.int(), sha256: z.string() }))
  .describe('Images that are attached to the item; in a dry run, that would be')
export type PlannedUploads = z.output<typeof PlannedUploads>

/** The outcome of a change of several items. */
export const UpdateResults = z.object({
  dryRun: z.boolean(),
  requested: z.int(),
  applied: z.int(),
  conflicts: z.int(),
  rejected: z.int(),
  notAttempted: z.int(),
  unknown: z.int(),
  results: z.array(
    z.object({
      id: z.int(),
      reference: Reference,
      status: z.enum(['applied', 'conflict', 'rejected', 'notAttempted', 'unknown']),
      rev: z.int().nullable().describe('The revision after the call; null if the item could not be read'),
      message: z.string().nullable(),
      changes: z.array(FieldChange),
    }),
  ),
  linked: z
    .array(z.object({ id: z.int(), reference: Reference, type: z.string(), title: z.string() }))
    .describe('The other ends of changed links'),
  uploads: PlannedUploads.optional().describe(
    'Images of the texts that are attached to each item; in a dry run, that would be. Only if there are some',
  ),
})
export type UpdateResults = z.infer<typeof UpdateResults>
/** The outcome for one item. */
export type UpdateResult = Omit<UpdateResults['results'][number], 'reference'>

export const Blocker = z.object({
  by: z.enum(['tag', 'field', 'predecessor']).describe('The signal for the blocker'),
  itemId: z.int().nullable().describe('The open predecessor; null for a tag or a field'),
  evidence: z.string().describe('The reason as text'),
})

export type Blocker = z.infer<typeof Blocker>

/** The file that an item was imported from. */
export const FileSource = z.object({
  name: z.string().describe('Name of the file'),
  asOf: z.string().nullable().describe('The time that the data is from, ISO 8601 UTC; null if unknown'),
  importedAt: Instant,
})
export type FileSource = z.infer<typeof FileSource>

/** Where an item comes from, and its reference. */
export const itemSource = {
  tracker: z.string().describe('Name of its tracker in the settings; "default" for the default tracker'),
  reference: Reference,
}

export const WorkItem = z.object({
  id: z.int(),
  rev: z.int().describe('0 for an item from a file without revisions'),
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
  description: z.string().nullable().describe('As the tracker stores it'),
  descriptionFormat: TextFormat.nullable(),
  acceptanceCriteria: z.string().nullable().describe('As the tracker stores it'),
  acceptanceCriteriaFormat: TextFormat.nullable(),
  blocked: z.array(Blocker),
  url: z.string(),
  changedAt: Instant,
  localRev: z.int().describe('Revision of the latest snapshot'),
  remoteRev: z.int().describe("The tracker's revision at the last request"),
  fetchedAt: Instant.describe(
    'When it was read from the tracker; for an item from a file, the time that its data is from',
  ),
  fromFile: FileSource.nullable().describe('The file that it was read from; null if the tracker provided it'),
  ...itemSource,
  customFields: z
    .record(z.string(), FieldValue)
    .optional()
    .describe('Values of further fields of the tracker by display name; in a list only those that the call names'),
})
export type WorkItem = z.infer<typeof WorkItem>

/** A work item as the tracker returned it, without its long texts. */
export const FoundItem = WorkItem.omit({
  description: true,
  descriptionFormat: true,
  acceptanceCriteria: true,
  acceptanceCriteriaFormat: true,
})
export type FoundItem = z.infer<typeof FoundItem>

export const WebAddress = z
  .url({ protocol: /^https?$/, error: 'must be an address that begins with http:// or https://' })
  .max(2000)
  .describe('An address that begins with http:// or https://')

/** One that is written to the tracker, which everyone who sees the item reads. */
export const NewWebAddress = WebAddress.refine(
  (url) => !/[\s\p{C}<>"]/u.test(url),
  'has a character that must be written with %, such as a space',
)
  .refine((url) => {
    const { username, password } = URL.canParse(url) ? new URL(url) : { username: '', password: '' }
    return username === '' && password === ''
  }, 'must not contain a user name or a password')
  .describe('An address that begins with http:// or https://')

export const WebLink = z.object({
  id: z.string().describe("The tracker's ID of the link"),
  kind: z.enum(['page', 'pull-request', 'commit', 'branch']),
  url: z.string(),
  title: z.string(),
})

export const Worklog = z.object({
  id: z.string(),
  author: Person.nullable(),
  startedAt: Instant,
  seconds: z.int(),
  text: z.string(),
})

/** An item must meet all criteria that are not null. Alternatives are separated by commas; an item must have all tags. */
export const FilterCriteria = z.object({
  state: z.string().nullable(),
  assignedTo: z.string().nullable(),
  search: z.string().nullable(),
  type: z.string().nullable(),
  area: z.string().nullable(),
  iteration: z.string().nullable(),
  tag: z.string().nullable(),
  parent: z.string().nullable(),
})
export type FilterCriteria = z.infer<typeof FilterCriteria>

export const SavedFilter = z.object({
  id: z.int(),
  name: z.string(),
  criteria: FilterCriteria,
  createdAt: Instant,
})
export type SavedFilter = z.infer<typeof SavedFilter>

/** A filter with what a list shows of the items. */
export const SavedView = SavedFilter.extend({
  columns: z.array(z.string()).describe('The fields to show'),
  sort: z.string().nullable().describe('The fields to sort by; null for the ID'),
})
export type SavedView = z.infer<typeof SavedView>

export const WorkingFilter = z.object({
  criteria: FilterCriteria,
  itemCount: z.int().describe('Cached items that pass it'),
  updatedAt: Instant.nullable().describe('Null if there is no working filter'),
})
export type WorkingFilter = z.infer<typeof WorkingFilter>
