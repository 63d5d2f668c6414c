import {
  checkValues,
  createUpdateError,
  type FieldUpdate,
  type GivenFields,
  resolveFields,
  type TrackerWorkspaceContext,
} from '../../items'
import { hint, suggest } from '../../kernel'
import type { ItemProperty, ProcessField, Tracker } from '../../tracker'

/** Of these a draft has its own, whose edits are merged with those of others. */
const TEXTS: readonly ItemProperty[] = ['title', 'description', 'acceptanceCriteria']

const UNREAD =
  'is not read from this tracker, so a change of others would be overwritten unseen; to set it all the same, let the draft win (--ours, prefer=draft)'

interface GivenForDraft {
  draftId: number
  given: GivenFields
  /** The fields from which the properties of the item come. */
  properties: ReadonlyMap<ItemProperty, ProcessField>
  /** Whether fields may be set that are not read, so that it is not known what is overwritten. */
  mayOverwrite: boolean
}

/**
 * The values that a call sets besides the draft, as the process spells them for an item of the type. Without a type, their values are not
 * checked. Throws `invalid` with all that is wrong.
 */
export async function checkGivenFields(
  ctx: TrackerWorkspaceContext,
  tracker: Tracker,
  { draftId, given, properties, mayOverwrite }: GivenForDraft,
  type: string | null,
): Promise<FieldUpdate[]> {
  if (Object.keys({ ...given.fields, ...given.updates }).length === 0) return []
  const { process, requested, problems } = await resolveFields(ctx, tracker, given)
  const texts = new Set(TEXTS.map((property) => properties.get(property)?.referenceName))
  const ownTexts = requested.filter(({ field }) => texts.has(field.referenceName))
  if (ownTexts.length > 0)
    throw createUpdateError(
      ownTexts.map(({ path, field }) => ({ path: path ?? field.name, message: 'is a text of the draft' })),
      hint`Change it in the draft: ${suggest('drafts.save', { id: draftId })}`,
    )
  const unread = mayOverwrite ? [] : requested.filter(({ field }) => field.isUnread)
  problems.push(...unread.map(({ path, field }) => ({ path: path ?? field.name, message: UNREAD })))
  return type === null ? requested : checkValues(ctx, tracker, { items: [{ type }], requested, process, problems })
}
