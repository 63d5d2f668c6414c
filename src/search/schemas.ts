import * as z from 'zod'

export const EntityType = z.enum(['devops', 'draft', 'folder'])

export const SearchResult = z.object({
  type: EntityType.describe('A cached work item (devops), a draft or a folder'),
  id: z.int(),
  title: z.string(),
  score: z
    .number()
    .describe('Higher is better; comparable within one answer only; 0 where the query has filters alone'),
  snippet: z.string().describe('Plain text around the best cluster of hits'),
  highlights: z
    .array(z.tuple([z.int(), z.int()]))
    .describe(
      '[start, end] in UTF-16 units of the snippet, sorted, not overlapping; empty when only the title matched',
    ),
  state: z.string().nullable(),
  folderId: z.int().nullable().describe("A draft's folder, or a folder's parent"),
  updatedAt: z.string().nullable().describe('ISO 8601 UTC with milliseconds'),
})
