import { afterParts, StudioError } from '../../../kernel'
import { formatInstant } from '../../../kernel/time'
import type { WriteTx } from '../../../storage'
import type { Tracker, TrackerItem } from '../../../tracker'
import { deleteCreation, findCachedItem, findCreation, saveCreation } from '../../queries'
import type { GivenFields } from '../../rules/update-fields'
import type { ImageFile } from '../attachments/image-files'
import type { TrackerLink } from '../tracker-identity'
import { updateByFields } from '../update/update-by-fields'
import type { TrackerWorkspaceContext } from '../workspace-context'

/** Where the creation of an item goes on. */
interface Created {
  id: number
  latest: Pick<TrackerItem, 'rev' | 'url'> | null
  wasFound: boolean
  problem: string | null
}

interface WithImages {
  /** The same for each call that creates this item. */
  key: string
  /** With the texts as they were written. */
  given: GivenFields
  /** The fields by the path of the input that sets them. */
  sources: Readonly<Record<string, string>>
  files: readonly ImageFile[]
}

/**
 * Creates an item, attaches the images of its texts, and puts them into the texts: only an item that exists can have files. A call that ends
 * between these steps is continued by the next one with the same values.
 */
export async function createWithImages(
  ctx: TrackerWorkspaceContext,
  { tracker }: TrackerLink,
  { key, given, sources, files }: WithImages,
  create: (save: (tx: WriteTx, id: number) => Promise<void>) => Promise<Created>,
): Promise<Created> {
  const unfinished = `images:${key}`
  const created =
    (await findUnfinished(ctx, tracker, unfinished)) ??
    (await create((tx, id) => saveUnfinished(ctx, tx, unfinished, id)))
  const { id } = created
  // What this does was part of the plan of the creation.
  const { plan: _settled, ...unbound } = ctx
  try {
    const { results } = await updateByFields(unbound, {
      ids: [id],
      given: textsOf(given, sources),
      files,
      dryRun: false,
    })
    const [result] = results
    if (result?.status !== 'applied')
      throw new StudioError('conflict', result?.message ?? 'The work item could not be changed.')
    await ctx.db.write((tx) => deleteCreation(tx, unfinished))
    return { ...created, latest: await ctx.db.read((tx) => findCachedItem(tx, id)) }
  } catch (error) {
    if (!(error instanceof StudioError)) throw error
    throw afterParts(error, { done: `Work item ${id} was created, without its images.`, again: 'It attaches them.' })
  }
}

/** The texts that show images, for the fields that they were created in. */
function textsOf({ updates, fields }: GivenFields, sources: WithImages['sources']): GivenFields {
  const texts = Object.entries({ updates, fields }).flatMap(([source, values]) =>
    Object.entries(values ?? {}).flatMap(([name, value]) => {
      const field = sources[`${source}.${name}`]
      return field !== undefined && typeof value === 'string' && value.includes('![') ? [[field, value] as const] : []
    }),
  )
  return { updates: Object.fromEntries(texts) }
}

/** Throws `not_found` once if the item is gone, and forgets it: only the caller knows whether there should be another one. */
async function findUnfinished(ctx: TrackerWorkspaceContext, tracker: Tracker, key: string): Promise<Created | null> {
  const found = await ctx.db.read((tx) => findCreation(tx, key))
  if (found === null) return null
  const { id } = found.sent as { id: number }
  const { items } = await tracker.getItems([id], { signal: ctx.signal })
  if (items.length > 0)
    return { id, latest: await ctx.db.read((tx) => findCachedItem(tx, id)), wasFound: true, problem: null }
  await ctx.db.write((tx) => deleteCreation(tx, key))
  throw new StudioError(
    'not_found',
    `Work item ${id}, which an earlier call created without its images, was deleted, or your token cannot read it.`,
    { hint: 'Repeat the call to create another one.' },
  )
}

async function saveUnfinished(ctx: TrackerWorkspaceContext, tx: WriteTx, key: string, id: number): Promise<void> {
  const at = formatInstant(ctx.clock.now())
  await saveCreation(tx, { key, marker: '', type: '', startedAt: at, claimedUntil: at, sent: { id }, itemId: null })
}
