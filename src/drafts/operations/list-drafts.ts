import * as z from 'zod'
import { ItemId, type WorkspaceContext } from '../../items'
import { checkpoint, operation, storableText } from '../../kernel'
import { type DraftOutline, listDraftOutlines } from '../queries'
import { createDraftOrder, DRAFT_SORTS, sortDrafts } from '../rules/draft-sort'
import { Draft, FolderId } from '../schemas'
import { readDraftWindow } from '../services/read-draft-window'
import { readDrafts } from '../services/read-drafts'

export const listDrafts = operation({
  id: 'drafts.list',
  summary: 'List the draft stories',
  effect: 'read',
  access: 'workspace',
  isExpensive: true,
  hasLargeAnswer: true,
  input: z.strictObject({
    folderId: FolderId.optional().describe('Only drafts in this folder'),
    sourceItemId: ItemId.optional().describe('Only clean copies of this work item'),
    search: storableText(1_000).min(1).optional().describe('Only drafts whose texts contain all these words'),
    sort: z
      .enum(DRAFT_SORTS)
      .default('updated')
      .describe(
        'The order: updated and created with the newest first, points with the highest first, title from A to Z; a leading - reverses',
      ),
  }),
  output: z.array(Draft),
  errors: [],
  http: { method: 'get', path: '/api/stories/saved', cacheable: () => true },
  listOrder: ({ sort }) => createDraftOrder(sort),
  cli: {
    command: 'draft list',
    flags: {
      folderId: { name: 'folder', value: 'id' },
      sourceItemId: { name: 'source', value: 'id' },
      sort: { value: 'order' },
    },
    examples: ['studio draft list', 'studio draft list --sort title --json --fields id,title'],
    seeAlso: ['draft get', 'draft save', 'folder list'],
  },
  async run(ctx: WorkspaceContext, input) {
    const found: Draft[] = []
    for await (const draft of findMatches(ctx, input)) found.push(draft)
    return sortDrafts(found, input.sort)
  },
  async readWindow(ctx, input, window) {
    const outlines = await findOutlines(ctx, input)
    return { entries: await readDraftWindow(ctx, outlines, { sort: input.sort, window }), total: outlines.length }
  },
})

interface Criteria {
  folderId?: number | undefined
  sourceItemId?: number | undefined
  search?: string | undefined
}

/** The drafts of the list without their texts. */
async function findOutlines(ctx: WorkspaceContext, criteria: Criteria): Promise<DraftOutline[]> {
  if (criteria.search === undefined) return ctx.db.read((tx) => listDraftOutlines(tx, criteria))
  const found: DraftOutline[] = []
  for await (const draft of findMatches(ctx, criteria)) found.push(outlineOf(draft))
  return found
}

async function* findMatches(ctx: WorkspaceContext, { search, ...scope }: Criteria): AsyncGenerator<Draft, void> {
  const words = new Set(search?.toLowerCase().split(/\s+/).filter(Boolean))
  for await (const draft of readDrafts(ctx, scope)) {
    if (words.size === 0 || containsWords(draft, words)) yield draft
    await checkpoint(ctx)
  }
}

function outlineOf({ id, title, storyPoints, createdAt, updatedAt, ...draft }: Draft): DraftOutline {
  const bytes = Buffer.byteLength(draft.description ?? '') + Buffer.byteLength(draft.acceptanceCriteria ?? '')
  return { id, title, storyPoints, createdAt, updatedAt, bytes }
}

function containsWords(draft: Draft, words: ReadonlySet<string>): boolean {
  const text = [draft.title, draft.description, draft.acceptanceCriteria, draft.tags].join('\n').toLowerCase()
  return [...words].every((word) => text.includes(word))
}
