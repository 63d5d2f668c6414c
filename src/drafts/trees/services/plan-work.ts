import type * as z from 'zod'
import {
  createUpdateError,
  type ImageFile,
  type ImageFiles,
  MAX_IMAGE_BYTES,
  openTrackerLink,
  readImageFiles,
  type TrackerLink,
  type TrackerWorkspaceContext,
} from '../../../items'
import type { Preference } from '../../rules/merge-texts'
import type { TreeFile } from '../rules/parse-tree'
import type { TreePlan } from './plan-node'

type GivenFile = TreeFile & { images?: z.output<typeof ImageFiles> | undefined }

interface TreeRequest {
  files?: GivenFile[] | undefined
  folderId?: number | undefined
  parentId: number | null
  tracker?: string | undefined
  prefer: Preference | null
}

/** Opens the tracker, and checks the files, or the drafts of the folder, against it. */
export async function planWork(
  ctx: TrackerWorkspaceContext,
  { files, folderId, parentId, tracker, prefer }: TreeRequest,
): Promise<TreePlan & { link: TrackerLink }> {
  if (folderId !== undefined) {
    const { loadFolder, planFolder } = await import('./plan-folder')
    const { sources, link } = await loadFolder(ctx, { folderId, parentId, tracker })
    return { ...(await planFolder(ctx, link, { sources, parentId, prefer })), link }
  }
  const { planTree } = await import('./plan-tree')
  const link = await openTrackerLink(ctx, { ids: parentId === null ? [] : [parentId], name: tracker })
  const images = await readImages(ctx, files ?? [])
  return { ...(await planTree(ctx, link, { files: files ?? [], images, parentId, prefer })), link }
}

/** The images of each file, whose paths begin in its folder. All of them together have the size that those of one text may have. */
async function readImages(
  ctx: TrackerWorkspaceContext,
  files: readonly GivenFile[],
): Promise<Map<string, ImageFile[]>> {
  const read = new Map<string, ImageFile[]>()
  let total = 0
  for (const [at, { name, images = [] }] of files.entries()) {
    const found = await readImageFiles(ctx, images, `files.${at}.images`)
    total += found.reduce((sum, { bytes }) => sum + bytes, 0)
    if (total > MAX_IMAGE_BYTES) throw createUpdateError([{ path: 'files', message: 'have more than 5 MB of images' }])
    read.set(name, found)
  }
  return read
}
