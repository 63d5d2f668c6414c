import { type ErrorDetail, hint, suggest } from '../../../kernel'
import type { Tracker, TrackerProcess } from '../../../tracker'
import {
  type AllowedValues,
  findDisallowedValues,
  findUnlistedValues,
  normalizeSpelling,
  selectFieldsToCheck,
} from '../../rules/allowed-values'
import { formatDay } from '../../rules/current-iterations'
import {
  type FieldUpdate,
  type GivenFields,
  listRequiredParts,
  type ResolvedUpdates,
  refuseProblems,
  resolveUpdates,
} from '../../rules/update-fields'
import type { TrackerWorkspaceContext } from '../workspace-context'
import { listUnsupportedFields } from './check-capabilities'

export const FIELDS_HINT = hint`To see what can be set: ${suggest('items.metadata')}`

/**
 * Finds the fields of the process that are given, and what is wrong with them. Reads areas and iterations only if one of them is to be set.
 * Throws `invalid` before a request if the tracker supports none of the fields.
 */
export async function resolveFields(
  ctx: TrackerWorkspaceContext,
  tracker: Tracker,
  given: GivenFields,
): Promise<ResolvedUpdates & { process: TrackerProcess }> {
  const unsupported = listUnsupportedFields(tracker, given)
  const count = Object.keys(given.updates ?? {}).length + Object.keys(given.fields ?? {}).length
  if (unsupported.length === count) refuseProblems(unsupported, FIELDS_HINT)
  const core = await tracker.describeProcess(ctx.signal, [])
  const parts = listRequiredParts(given, core)
  const process = parts.length === 0 ? core : await tracker.describeProcess(ctx.signal, parts)
  const { requested, problems, wrong } = resolveUpdates(given, process, ctx.user, formatDay(ctx.clock.now()))
  const isUnsupported = (path: string | undefined) => unsupported.some((one) => one.path === path)
  return {
    process,
    wrong,
    requested: requested.filter(({ path }) => !isUnsupported(path)),
    problems: [...unsupported, ...problems.filter(({ path }) => !isUnsupported(path))],
  }
}

/**
 * Checks the values for items of these types, and asks the tracker for the values of the fields that may have a list of them. Returns the
 * values as the process spells them. Throws one `invalid` error that lists every wrong value, with the problems that are known already.
 */
export async function checkValues(
  ctx: TrackerWorkspaceContext,
  tracker: Tracker,
  {
    items,
    requested,
    process,
    problems,
  }: {
    items: readonly { type: string }[]
    requested: readonly FieldUpdate[]
    process: TrackerProcess
    problems: readonly ErrorDetail[]
  },
): Promise<FieldUpdate[]> {
  const answers = await Promise.all(
    selectFieldsToCheck(items, requested).map(async ({ typeName, referenceName }): Promise<AllowedValues[]> => {
      const values = await tracker.listAllowedValues(typeName, referenceName, ctx.signal)
      return values ? [{ typeName, referenceName, values }] : []
    }),
  )
  const allowed = answers.flat()
  const disallowed = [...findDisallowedValues(items, requested, process), ...findUnlistedValues(requested, allowed)]
  refuseProblems([...problems, ...disallowed], FIELDS_HINT)
  return normalizeSpelling(requested, items, { process, allowed })
}
