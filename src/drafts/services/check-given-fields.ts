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

interface GivenForDraft {
  draftId: number
  given: GivenFields
  /** The fields from which the properties of the item come. */
  properties: ReadonlyMap<ItemProperty, ProcessField>
}

/**
 * The values that a call sets besides the draft, as the process spells them for an item of the type. Without a type, their values are not
 * checked. Throws `invalid` with all that is wrong.
 */
export async function checkGivenFields(
  ctx: TrackerWorkspaceContext,
  tracker: Tracker,
  { draftId, given, properties }: GivenForDraft,
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
  return type === null ? requested : checkValues(ctx, tracker, { items: [{ type }], requested, process, problems })
}
