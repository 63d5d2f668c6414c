import * as z from 'zod'
import { FieldChange, FieldValue, Instant, PlannedUploads, Reference } from '../items'
import { storableText } from '../kernel'

export const FolderId = z.int().min(1).describe('Folder ID')
export const FolderName = storableText(200).trim().min(1).describe('Name of the folder')
export const DraftId = z.int().min(1).describe('Draft ID')

/** A draft story: a working copy that exists only in this workspace. */
export const Draft = z.object({
  id: z.int(),
  title: z.string(),
  description: z.string().nullable(),
  acceptanceCriteria: z.string().nullable(),
  storyPoints: z.number().nullable(),
  assignedTo: z.string().nullable(),
  areaPath: z.string().nullable(),
  iterationPath: z.string().nullable(),
  tags: z.string().nullable().describe('As one text: `a; b`'),
  fields: z
    .record(z.string(), FieldValue)
    .describe('Further fields of the tracker by display name; null clears the field of the item'),
  folderId: z.int(),
  sourceItemId: z.int().nullable().describe('The work item that it was copied from'),
  sourceRev: z.int().nullable(),
  sourceReference: z.string().nullable().describe('Its reference, such as #101 or gh:owner/repository#12'),
  createdAt: Instant,
  updatedAt: Instant,
})
export type Draft = z.infer<typeof Draft>

const MAX_FIELDS = 50

/** Further fields of the tracker, as a call sends them. The tracker knows their names and values, so publishing checks them. */
export const DraftFieldsInput = z
  .record(
    storableText(200).trim().min(1),
    z.union([storableText(10_000).transform((text) => (text === '' ? null : text)), z.number(), z.boolean(), z.null()]),
  )
  .refine((fields) => Object.keys(fields).length <= MAX_FIELDS, `must have at most ${MAX_FIELDS} fields`)

/** The fields that a save can change. */
export const DraftContent = Draft.omit({
  id: true,
  sourceItemId: true,
  sourceRev: true,
  sourceReference: true,
  createdAt: true,
  updatedAt: true,
})
export type DraftContent = z.infer<typeof DraftContent>

export const Publication = z.object({
  itemId: z.int().describe('The work item'),
  rev: z.int().describe('The revision of the work item after the draft was published'),
  publishedAt: Instant,
})
export type Publication = z.infer<typeof Publication>

/** A field that the draft and the tracker have changed in different ways since they were the same. */
export const PublicationConflict = z.object({
  property: z.string().describe('The field of the draft, or the reference name of another field that the call sets'),
  field: z.string().describe('The field of the work item'),
  base: FieldValue.describe('The value that both had'),
  draft: FieldValue,
  tracker: FieldValue,
  merged: z.string().nullable().describe('A long text with both versions between conflict markers'),
  withDraft: FieldValue.describe('Both versions, with that of the draft where both have changed the same'),
  withTracker: FieldValue.describe('Both versions, with that of the tracker where both have changed the same'),
  undecided: z
    .array(z.string())
    .describe(
      'Blocks of the draft whose edit meets what was removed from it, so that its place in the item is not known',
    ),
})
export type PublicationConflict = z.infer<typeof PublicationConflict>

/** The result of publishing a draft. */
export const PublishedDraft = z.object({
  dryRun: z.boolean(),
  draftId: z.int(),
  action: z.enum(['create', 'update']),
  itemId: z.int().nullable().describe('Null for a dry run that would create an item'),
  reference: Reference.nullable().describe('Its reference, such as #101 or ABC-7; null if there is no item yet'),
  rev: z.int().nullable().describe('The revision of the item after the call; null if it was not read'),
  url: z.string().nullable().describe('The web page of the item'),
  type: z.string(),
  parentId: z.int().nullable(),
  parentReference: Reference.nullable(),
  changes: z.array(FieldChange),
  conflicts: z.array(PublicationConflict).describe('In a dry run; otherwise conflicts are an error'),
  uploads: PlannedUploads.describe('Images of the draft that are attached to the item; in a dry run, that would be'),
  notes: z.array(z.string()),
})
export type PublishedDraft = z.infer<typeof PublishedDraft>
/** The same before its items are named. */
export type PublicationOutcome = Omit<PublishedDraft, 'reference' | 'parentReference' | 'uploads'>

const ResolvedContent = DraftContent.omit({ folderId: true, fields: true }).partial()

/** Values that settle conflicts, also of fields that a draft has not. */
export const ResolvedFields = ResolvedContent.catchall(z.unknown()).refine(
  (values) => Object.values(values).every((value) => value === undefined || FieldValue.safeParse(value).success),
  'must have a text, a number, true, false or null for each field',
)
export type ResolvedFields = z.infer<typeof ResolvedContent> & Record<string, FieldValue | undefined>

export const DraftVersion = z.object({
  version: z.int().describe('Counts the changes of the draft, from 1'),
  savedAt: Instant,
  restored: z.int().nullable().describe('The version that an undo restored; null if it was saved'),
  changed: z.array(DraftContent.keyof()).describe('Fields that differ from the previous version'),
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
