import * as z from 'zod'
import { storableText } from '../../kernel'

/** The fields of a draft as a caller gives them: each may be left out, and null empties it. */
export const draftFields = {
  title: storableText(1_000).optional().describe('Title'),
  description: storableText(1_000_000).nullable().optional().describe('Description, in Markdown'),
  acceptanceCriteria: storableText(1_000_000).nullable().optional().describe('Acceptance criteria, in Markdown'),
  storyPoints: z.number().min(0).nullable().optional().describe('Story points'),
  assignedTo: storableText(1_000).nullable().optional().describe('Who shall do it'),
  areaPath: storableText(1_000).nullable().optional().describe('Area path'),
  iterationPath: storableText(1_000).nullable().optional().describe('Iteration path'),
  tags: storableText(4_000).nullable().optional().describe('Tags in one text: "a; b"'),
}

export const folderName = storableText(200).trim().min(1).describe('Name of the folder')
