import { type ImageFile, TextImages, type TrackerWorkspaceContext } from '../../items'
import { hint, suggest } from '../../kernel'
import { listDraftFiles, readDraftFileContent } from '../queries'
import type { DraftContent } from '../schemas'

const TEXTS = ['description', 'acceptanceCriteria'] as const

/**
 * The images of a draft that are stored with it, for one item.
 * @param files those that a call stores with it
 */
export async function loadDraftImages(
  ctx: TrackerWorkspaceContext,
  {
    draftId,
    itemId,
    content,
    files = [],
  }: { draftId: number; itemId: number | null; content: DraftContent; files?: readonly ImageFile[] | undefined },
): Promise<TextImages> {
  const texts = TEXTS.map((field) => content[field] ?? '')
  const hasImages = texts.some((text) => text.includes('!['))
  const stored = hasImages ? await ctx.db.read((tx) => listDraftFiles(tx, draftId)) : []
  const own = stored.map(
    ({ id, path, media_type: mediaType, bytes, sha256 }): ImageFile => ({
      path,
      mediaType,
      bytes,
      sha256,
      read: () => ctx.db.read((tx) => readDraftFileContent(tx, id)),
    }),
  )
  const again = hint`To go on, which looks for the file first: ${suggest('items.publish-draft', { id: draftId })}`
  return TextImages.load(ctx, { itemId, texts, files: [...own, ...files], again })
}

/** The content of a draft with other texts. */
export function changeTexts<Texts extends Partial<DraftContent>>(
  content: Texts,
  change: (text: string) => string,
): Texts {
  const changed = { ...content }
  for (const field of TEXTS) {
    const text = content[field]
    if (typeof text === 'string') changed[field] = change(text)
  }
  return changed
}
