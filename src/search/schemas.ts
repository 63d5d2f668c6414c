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
    // Not a tuple: validators of JSON Schema before 2020-12 and some generators cannot read `prefixItems`.
    .array(z.array(z.int()).length(2))
    .describe(
      '[start, end] in UTF-16 units of the snippet, sorted, not overlapping; empty when only the title matched',
    ),
  state: z.string().nullable(),
  folderId: z.int().nullable().describe("A draft's folder, or a folder's parent"),
  updatedAt: z.string().nullable().describe('ISO 8601 UTC with milliseconds'),
  url: z.string().nullable().describe("The work item's page in the tracker; null for drafts and folders"),
  reference: z.string().nullable().describe('Its reference if that is not its ID: ABC-7, gh:owner/repository#12'),
})

/** What is asked and answered about the index itself. */
export const IndexStats = {
  input: z.strictObject({}),
  output: z.object({
    entities: z.object({
      devops: z.int().describe('Cached work items'),
      draft: z.int(),
      folder: z.int(),
    }),
    total: z.int(),
    lastIndexedAt: z.string().nullable().describe('When the index last changed; ISO 8601 UTC with milliseconds'),
    terms: z.int().describe('Different words, by their stems'),
    bytes: z.int().describe('On the disk of this machine or of the server; 0 where it is kept in memory'),
    kept: z
      .enum(['files', 'database', 'memory'])
      .describe('Beside the database, in a database on a server, or in this process for as long as it runs'),
  }),
}
