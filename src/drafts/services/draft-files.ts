import { createHash } from 'node:crypto'
import * as z from 'zod'
import type { WorkspaceContext } from '../../items'
import { checkpoint, inputError, withinTransaction } from '../../kernel'
import { chooseMediaType } from '../../kernel/files/file-type'
import { toRelativePath } from '../../kernel/files/relative-path'
import type { WriteTx } from '../../storage'
import { listDraftFiles, type StoredDraftFile, saveDraftFile } from '../queries'

export const MAX_DRAFT_FILES = 20
/** Of all files of one call together. */
export const MAX_DRAFT_FILE_BYTES = 5_000_000
/** Base64 has four characters for three bytes. */
const MAX_CONTENT_LENGTH = Math.ceil(MAX_DRAFT_FILE_BYTES / 3) * 4
/** The files, and as much as the texts take. */
export const MAX_DRAFT_BODY_BYTES = MAX_CONTENT_LENGTH + 1024 * 1024 + 64 * 1024

export const DraftFiles = z
  .array(
    z.strictObject({
      path: z.string().min(1).max(500).describe('As the texts name it: ./shots/gate.png'),
      content: z
        .string()
        .max(MAX_CONTENT_LENGTH, 'must be at most 5 MB')
        // Node ignores what is not in Base64. A regular expression would take several times as long.
        .refine((text) => Buffer.from(text, 'base64').toString('base64') === text, 'must be in Base64')
        .describe('The file in Base64'),
    }),
  )
  .max(MAX_DRAFT_FILES)
  .describe(
    'Images that the texts show, at most 5 MB together. They are stored with the draft, and attached when it is published',
  )

export interface ReadDraftFile {
  file: Omit<StoredDraftFile, 'id' | 'draft_id'>
  bytes: Buffer
}

/** Checks the files of a call. */
export async function readDraftFiles(
  ctx: Pick<WorkspaceContext, 'signal' | 'budget'>,
  files: z.output<typeof DraftFiles>,
): Promise<ReadDraftFile[]> {
  const read: ReadDraftFile[] = []
  for (const [at, { path: given, content }] of files.entries()) {
    const path = toRelativePath(given)
    if (path === null || path.split(/[/\\]/).includes('..'))
      throw inputError([{ path: `files.${at}.path`, message: 'must be a path below the folder of the draft' }])
    await checkpoint(ctx)
    const bytes = Buffer.from(content, 'base64')
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    read.push({ file: { path, media_type: chooseMediaType(path, bytes), bytes: bytes.length, sha256 }, bytes })
  }
  if (read.reduce((sum, { bytes }) => sum + bytes.length, 0) > MAX_DRAFT_FILE_BYTES)
    throw inputError([{ path: 'files', message: 'must be at most 5 MB together' }])
  return read
}

export async function storeDraftFiles(
  ctx: Pick<WorkspaceContext, 'signal' | 'budget'>,
  tx: WriteTx,
  draftId: number,
  files: readonly ReadDraftFile[],
): Promise<void> {
  if (files.length === 0) return
  const call = withinTransaction(ctx)
  for (const { file, bytes } of files)
    await saveDraftFile(tx, { ...file, draft_id: draftId }, bytes, () => checkpoint(call))
  if ((await listDraftFiles(tx, draftId)).length > MAX_DRAFT_FILES)
    throw inputError([{ path: 'files', message: `must be at most ${MAX_DRAFT_FILES} of a draft` }])
}
