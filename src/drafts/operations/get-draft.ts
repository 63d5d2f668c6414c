import * as z from 'zod'
import { findItemNames, Reference, type WorkspaceContext } from '../../items'
import { operation } from '../../kernel'
import { listDraftFiles, listPublications } from '../queries'
import { Draft, DraftId, Publication } from '../schemas'
import { requireDraft } from '../services/require-draft'

export const getDraft = operation({
  id: 'drafts.get',
  summary: 'Show a draft story',
  effect: 'read',
  access: 'workspace',
  input: z.strictObject({ id: DraftId }),
  output: Draft.extend({
    publications: z
      .array(Publication.extend({ reference: Reference }))
      .describe('Where it was published, the last first'),
    files: z
      .array(z.object({ name: z.string(), mediaType: z.string(), bytes: z.int() }))
      .describe('Images that are stored with it, by their paths in its texts'),
  }),
  errors: ['not_found'],
  http: { method: 'get', path: '/api/stories/{id}', cacheable: () => true },
  cli: {
    command: 'draft get',
    args: ['id'],
    examples: ['studio draft get 1', 'studio draft get 1 --format md'],
    seeAlso: ['draft list', 'draft edit', 'draft save'],
  },
  async run(ctx: WorkspaceContext, { id }) {
    return ctx.db.read(async (tx) => {
      const { draft } = await requireDraft(tx, id)
      const publications = await listPublications(tx, id)
      const files = await listDraftFiles(tx, id)
      const nameOf = await findItemNames(
        tx,
        publications.map(({ itemId }) => itemId),
      )
      return {
        ...draft,
        publications: publications.map(({ itemId, rev, publishedAt }) => ({
          itemId,
          reference: nameOf(itemId),
          rev,
          publishedAt,
        })),
        files: files.map(({ path, media_type: mediaType, bytes }) => ({ name: path, mediaType, bytes })),
      }
    })
  },
})
