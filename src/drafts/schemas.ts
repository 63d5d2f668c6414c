import * as z from 'zod'
import { Instant } from '../items'
import { storableText } from '../kernel'

export const FolderId = z.int().min(1).describe('Folder ID')
export const FolderName = storableText(200).trim().min(1).describe('Name of the folder')
export const DraftId = z.int().min(1).describe('Draft (working copy) ID')

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
  folderId: z.int(),
  sourceItemId: z.int().nullable().describe('The work item that it was copied from'),
  sourceRev: z.int().nullable(),
  createdAt: Instant,
  updatedAt: Instant,
})
export type Draft = z.infer<typeof Draft>

/** The fields that a save can change. */
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
