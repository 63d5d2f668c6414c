import { type AnyOperation, fieldAt, formToValues, inputError, StudioError } from '../../kernel'
import type { Studio } from '../../studio'
import {
  type Basis,
  findOwnChanges,
  hasDrawnValues,
  type OwnChanges,
  withoutDrawnValues,
} from '../conflicts/own-changes'
import type { Fields } from '../forms/form'
import { sentText } from '../forms/hidden-fields'
import type { Action, RunById } from './action'
import { takeSlot } from './take-slot'

/** What became of a form. */
export type FormOutcome =
  | { kind: 'done'; answer: any }
  | { kind: 'unchanged' }
  | { kind: 'conflict'; changes: OwnChanges; basis: Basis }

interface FormRun {
  run(input: Fields): Promise<any>
  runById: RunById
  studio: Studio
}

/** Other changes may come in between as often as this, each of other fields. */
const MAX_ATTEMPTS = 5

/**
 * Runs the operation of a form. A form that says with which values it was drawn sends what its user has changed alone, and nothing if
 * somebody else has changed the same meanwhile.
 */
export async function runForm(
  op: AnyOperation,
  action: Action,
  sent: Fields,
  { run, runById, studio }: FormRun,
): Promise<FormOutcome> {
  const { slot, ...fields } = sent
  const toInput = (given: Fields) =>
    takeSlot(formToValues(op.input, action.toInput ? action.toInput(given, studio) : given), slot)
  const findBasis = action.basis
  if (!findBasis || !(hasDrawnValues(fields) || 'updatedAt' in fields))
    return { kind: 'done', answer: await run(toInput(withoutDrawnValues(fields))) }
  for (let attempt = 1; ; attempt++) {
    const basis = await findBasis(runById, fields)
    const changes = findOwnChanges(fields, basis, { sendsAll: slot !== undefined })
    const { own, other, conflicts, changedByOthers } = changes
    if (slot !== undefined && changedByOthers.length > 0) throw createMovedError()
    const isRead = op.effect === 'read'
    if (conflicts.length > 0 && !isRead) return { kind: 'conflict', changes, basis }
    if (Object.keys(own).length === 0 && !isRead) return { kind: 'unchanged' }
    const input = requireValues(op, own, toInput({ ...other, ...basis.version, ...own }))
    try {
      const answer = await run(input)
      return isUnchanged(answer) ? { kind: 'unchanged' } : { kind: 'done', answer }
    } catch (error) {
      const isStale = error instanceof StudioError && error.code === 'stale_revision' && basis.version !== undefined
      if (!isStale || attempt === MAX_ATTEMPTS) throw error
    }
  }
}

/** The button that was pressed chose a slot for what the form showed. */
function createMovedError(): StudioError {
  return new StudioError('stale_revision', 'Somebody else has moved the appointment meanwhile. Nothing was saved.', {
    hint: 'Load the page again to see where it is now.',
  })
}

/** A field that was emptied and cannot be removed is sent empty, so that the operation accepts or refuses that. */
function requireValues(op: AnyOperation, own: Fields, input: Fields): Fields {
  const top = Object.keys(own).filter((name) => !name.includes('.'))
  const emptied = top.filter((name) => sentText(own[name]).trim() === '' && input[name] === undefined)
  const known = emptied.flatMap((name) => fieldAt(op.input, name) ?? [])
  const missing = known.filter(({ type, choices }) => type !== 'string' || choices !== null)
  if (missing.length > 0) throw inputError(missing.map(({ name }) => ({ path: name, message: 'must not be empty' })))
  return { ...input, ...Object.fromEntries(known.map(({ name }) => [name, ''])) }
}

/** Operations say that everything was as it should be already. */
function isUnchanged(answer: { changed?: unknown; dryRun?: unknown; message?: unknown }): boolean {
  return answer.changed === false || String(answer.message ?? '').startsWith('Nothing was changed')
}
