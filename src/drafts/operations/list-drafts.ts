import * as z from 'zod'
import type { WorkspaceContext } from '../../items'
import { checkpoint, operation, storableText } from '../../kernel'
import { createDraftOrder, DRAFT_SORTS, sortDrafts } from '../rules/draft-sort'
import { Draft, FolderId } from '../schemas'
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
    search: storableText(1_000).min(1).optional().describe('Only drafts whose texts contain all these words'),
    sort: z
      .enum(DRAFT_SORTS)
      .default('updated')
      .describe('updated and created: newest first; points: highest first; title: A to Z; a leading - reverses'),
  }),
  output: z.array(Draft),
  errors: [],
  http: { method: 'get', path: '/api/stories/saved', cacheable: () => true },
  listOrder: ({ sort }) => createDraftOrder(sort),
  cli: {
    command: 'draft list',
    flags: { folderId: { name: 'folder', value: 'id' }, sort: { value: 'order' } },
    examples: ['studio draft list', 'studio draft list --sort title --json --fields id,title'],
    seeAlso: ['draft get', 'draft save', 'folder list'],
  },
  async run(ctx: WorkspaceContext, { folderId, search, sort }) {
    const words = new Set(search?.toLowerCase().split(/\s+/).filter(Boolean))
    const found: Draft[] = []
    for await (const draft of readDrafts(ctx, { folderId })) {
      if (words.size === 0 || containsWords(draft, words)) found.push(draft)
      await checkpoint(ctx)
    }
    return sortDrafts(found, sort)
  },
})

function containsWords(draft: Draft, words: ReadonlySet<string>): boolean {
  const text = [draft.title, draft.description, draft.acceptanceCriteria, draft.tags].join('\n').toLowerCase()
  return [...words].every((word) => text.includes(word))
}
