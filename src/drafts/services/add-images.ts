import type { TrackerLink, TrackerWorkspaceContext } from '../../items'
import { afterParts, StudioError } from '../../kernel'
import type { PublicationOutcome } from '../schemas'
import { loadDraftImages } from './draft-images'
import { loadForPublication } from './load-for-publication'
import { updateFromDraft } from './update-from-draft'

/** Attaches the images of a draft to the item that was just created from it, and shows them in its texts. */
export async function addImages(
  ctx: TrackerWorkspaceContext,
  link: TrackerLink,
  created: PublicationOutcome,
): Promise<PublicationOutcome> {
  const { draftId, itemId } = created
  // What this does was part of the plan of the creation.
  const { plan: _settled, ...unbound } = ctx
  try {
    const source = await ctx.db.read((tx) => loadForPublication(tx, { id: draftId, to: itemId!, asNew: false }))
    const images = await loadDraftImages(ctx, { draftId, itemId, content: source.content })
    const updated = await updateFromDraft(unbound, link, {
      source,
      images,
      target: source.target!,
      prefer: null,
      resolved: {},
      given: {},
      dryRun: false,
    })
    return { ...created, rev: updated.rev, notes: [...created.notes, ...updated.notes] }
  } catch (error) {
    if (!(error instanceof StudioError)) throw error
    throw afterParts(error, {
      done: `The draft was published as work item ${itemId}, without its images.`,
      again: 'It attaches them.',
    })
  }
}
