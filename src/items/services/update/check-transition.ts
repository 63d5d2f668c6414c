import { hint, suggest } from '../../../kernel'
import { equalsIgnoringCase } from '../../../kernel/text/text'
import type { ItemTransition, TrackerItem } from '../../../tracker'
import { createUpdateError, type GivenFields, normalizeFieldName } from '../../rules/update-fields'

/**
 * The state that was meant: by its name or by that of the step. Throws `invalid` if the workflow does not lead there from the present state,
 * and if it requires fields that the item does not have and that are not given.
 */
export function checkTransition(
  item: Pick<TrackerItem, 'id' | 'state' | 'fields'>,
  wanted: string,
  { transitions, given }: { transitions: readonly ItemTransition[]; given: GivenFields },
): string {
  const name = wanted.trim()
  if (equalsIgnoringCase(item.state, name)) return item.state
  const found =
    transitions.find(({ state }) => equalsIgnoringCase(state, name)) ??
    transitions.find((transition) => equalsIgnoringCase(transition.name ?? '', name))
  const advice = hint`To see what each requires: ${suggest('items.transitions', { id: item.id })}`
  if (!found) {
    const states = transitions.map(({ state }) => state).join(', ')
    const message =
      transitions.length === 0
        ? `"${wanted}" cannot follow ${item.state}: the workflow leads nowhere from there, or your account may not move it`
        : `"${wanted}" cannot follow ${item.state}; use one of ${states}`
    throw createUpdateError([{ path: 'state', message }], advice)
  }
  const names = new Set(Object.keys({ ...given.fields, ...given.updates }).map(normalizeFieldName))
  const missing = found.required.filter(
    (field) =>
      !hasValue(item.fields[field.referenceName]) &&
      ![field.name, field.referenceName].some((one) => names.has(normalizeFieldName(one))),
  )
  if (missing.length > 0)
    throw createUpdateError(
      missing.map((field) => ({ path: `updates.${field.name}`, message: describeRequired(field, found.state) })),
      advice,
    )
  return found.state
}

function hasValue(value: unknown): boolean {
  return value !== undefined && value !== null && value !== ''
}

function describeRequired({ allowedValues }: ItemTransition['required'][number], state: string): string {
  const choices = allowedValues === null ? '' : `; use one of ${allowedValues.join(', ')}`
  return `is required for ${state}${choices}`
}
