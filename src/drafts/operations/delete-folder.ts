import * as z from 'zod'
import type { WorkspaceContext } from '../../items'
import { hint, inputError, operation, StudioError, settlePlan, suggest } from '../../kernel'
import type { ReadTx } from '../../storage'
import { changeDraft, listDraftIds, deleteFolder as removeFolder } from '../queries'
import { DEFAULT_FOLDER_ID, extractContent, nextInstant } from '../rules/draft-content'
import { FolderId } from '../schemas'
import { requireDraft, requireFolder, requireFolderWithTree } from '../services/require-draft'

export const deleteFolder = operation({
  id: 'folders.delete',
  summary: 'Delete a folder',
  description:
    'Moves its drafts to the folder `moveTo`, which is required if it has drafts. Its subfolders move one level up. The default folder cannot be deleted.',
  effect: 'write',
  access: 'workspace',
  input: z.strictObject({
    id: FolderId,
    moveTo: FolderId.optional().describe('The folder to move its drafts to'),
    dryRun: z.boolean().default(false).describe('Show what would be done, and change nothing'),
  }),
  output: z.object({
    id: z.int(),
    name: z.string(),
    movedDrafts: z.array(z.int()).describe('Drafts that moved to moveTo'),
    movedFolders: z.array(z.int()).describe('Subfolders that moved one level up'),
    deleted: z.boolean().describe('False for a dry run'),
  }),
  errors: ['not_found', 'conflict'],
  http: { method: 'delete', path: '/api/folders/{id}', extension: true },
  cli: {
    command: 'folder delete',
    args: ['id'],
    flags: { moveTo: { value: 'id' } },
    examples: ['studio folder delete 2 --dry-run', 'studio folder delete 2 --move-to 1 --yes'],
    seeAlso: ['folder list', 'draft move'],
    confirmDryRun: () => 'Delete the folder?',
  },
  async run(ctx: WorkspaceContext, { id, moveTo, dryRun }) {
    const decide = async (tx: ReadTx) => {
      const plan = await planDeletion(tx, id, moveTo)
      settlePlan(ctx, plan)
      return plan
    }
    if (dryRun) return toAnswer(await ctx.db.read(decide), false)
    return ctx.db.write(async (tx) => {
      const plan = await decide(tx)
      for (const draftId of plan.drafts) {
        const found = await requireDraft(tx, draftId)
        const at = nextInstant(found.draft.updatedAt, ctx.clock.now())
        const content = { ...extractContent(found.draft), folderId: moveTo ?? DEFAULT_FOLDER_ID }
        await changeDraft(tx, found, { content, at, restored: null })
      }
      await removeFolder(tx, plan.folder)
      return toAnswer(plan, true)
    })
  },
})

type DeletionPlan = Awaited<ReturnType<typeof planDeletion>>

async function planDeletion(tx: ReadTx, id: number, moveTo: number | undefined) {
  const { folder, folders } = await requireFolderWithTree(tx, id)
  if (id === DEFAULT_FOLDER_ID) {
    throw new StudioError('conflict', `Folder ${id}, ${folder.name}, is the default folder and cannot be deleted.`, {
      hint: hint`Rename it instead: ${suggest('folders.update', { id, name: '<name>' })}`,
    })
  }
  if (moveTo !== undefined) await requireFolder(tx, moveTo)
  if (moveTo === id) throw inputError([{ path: 'moveTo', message: 'must be another folder' }])
  const drafts = await listDraftIds(tx, id)
  if (drafts.length > 0 && moveTo === undefined) {
    throw new StudioError('conflict', `Folder ${id}, ${folder.name}, contains drafts (${drafts.length}).`, {
      hint: hint`Name a folder to move them to: ${suggest('folders.delete', { id, moveTo: DEFAULT_FOLDER_ID })}`,
    })
  }
  return { folder, drafts, subfolders: folders.filter(({ parentId }) => parentId === id).map((child) => child.id) }
}

function toAnswer({ folder, drafts, subfolders }: DeletionPlan, deleted: boolean) {
  return { id: folder.id, name: folder.name, movedDrafts: drafts, movedFolders: subfolders, deleted }
}
