import type { Tracker, TrackerProcess } from '../../tracker'
import {
  type AllowedValues,
  findDisallowedValues,
  findUnlistedValues,
  normalizeSpelling,
  selectFieldsToCheck,
} from '../rules/allowed-values'
import { formatDay } from '../rules/current-iterations'
import {
  createUpdateError,
  type FieldUpdate,
  type GivenFields,
  listRequiredParts,
  resolveUpdates,
} from '../rules/update-fields'
import { requireFields } from './check-capabilities'
import type { TrackerWorkspaceContext } from './workspace-context'

/** Finds the fields of the process that are given. Reads areas and iterations only if one of them is to be set. */
export async function resolveFields(
  ctx: TrackerWorkspaceContext,
  tracker: Tracker,
  given: GivenFields,
): Promise<{ process: TrackerProcess; requested: FieldUpdate[] }> {
  requireFields(tracker, given)
  const core = await tracker.describeProcess(ctx.signal, [])
  const parts = listRequiredParts(given, core)
  const process = parts.length === 0 ? core : await tracker.describeProcess(ctx.signal, parts)
  return { process, requested: resolveUpdates(given, process, ctx.user, formatDay(ctx.clock.now())) }
}

/**
 * Checks the values for items of these types, and asks the tracker for the values of the fields that may have a list of them. Returns the
 * values as the process spells them. Throws one `invalid` error that lists every wrong value.
 */
export async function checkValues(
  ctx: TrackerWorkspaceContext,
  tracker: Tracker,
  {
    items,
    requested,
    process,
  }: { items: readonly { type: string }[]; requested: readonly FieldUpdate[]; process: TrackerProcess },
): Promise<FieldUpdate[]> {
  const answers = await Promise.all(
    selectFieldsToCheck(items, requested).map(async ({ typeName, referenceName }): Promise<AllowedValues[]> => {
      const values = await tracker.listAllowedValues(typeName, referenceName, ctx.signal)
      return values ? [{ typeName, referenceName, values }] : []
    }),
  )
  const allowed = answers.flat()
  const disallowed = [...findDisallowedValues(items, requested, process), ...findUnlistedValues(requested, allowed)]
  if (disallowed.length > 0) throw createUpdateError(disallowed)
  return normalizeSpelling(requested, items, { process, allowed })
}
