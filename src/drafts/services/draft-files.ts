import { type ImageFile, ImageFiles, MAX_IMAGE_FILES, type WorkspaceContext } from '../../items'
import { checkpoint, inputError, withinTransaction } from '../../kernel'
import type { WriteTx } from '../../storage'
import { listDraftFiles, saveDraftFile } from '../queries'

export const DraftFiles = ImageFiles.describe(
  'Images that the texts show, at most 5 MB together. They are stored with the draft, and attached when it is published',
)

export async function storeDraftFiles(
  ctx: Pick<WorkspaceContext, 'signal' | 'budget'>,
  tx: WriteTx,
  draftId: number,
  files: readonly ImageFile[],
): Promise<void> {
  if (files.length === 0) return
  const call = withinTransaction(ctx)
  for (const { path, mediaType, bytes, sha256, read } of files)
    await saveDraftFile(tx, { draft_id: draftId, path, media_type: mediaType, bytes, sha256 }, await read(), () =>
      checkpoint(call),
    )
  if ((await listDraftFiles(tx, draftId)).length > MAX_IMAGE_FILES)
    throw inputError([{ path: 'files', message: `must be at most ${MAX_IMAGE_FILES} of a draft` }])
}
