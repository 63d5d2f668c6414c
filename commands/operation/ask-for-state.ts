import type { ResultOf } from '../../src/catalog'
import { isRecord } from '../../src/kernel/json'
import { equalsIgnoringCase } from '../../src/kernel/text/text'
import type { Invocation } from '../start/invocation'
import { ask } from '../terminal/ask'
import { printableLine } from '../terminal/printable'
import type { RunOther } from './command-parts'

const NOTHING_CHANGED = 'Nothing was changed.'

/** Asks into which state an item is to go, and for the fields that the step requires, as far as they are not given. */
export async function askForState(
  given: Record<string, unknown>,
  invocation: Invocation,
  run: RunOther,
): Promise<Record<string, unknown>> {
  if (given['id'] === undefined || invocation.flags.yes) return given
  const { state, transitions } = (await run('items.transitions', {
    id: given['id'],
  })) as ResultOf<'items.transitions'>
  if (transitions.length === 0) return given
  const choices = transitions.map((one) => ({
    name: printableLine(one.name === null ? one.state : `${one.state} (${one.name})`),
    value: one.state,
  }))
  const question = { type: 'select', name: 'state', message: `From ${printableLine(state)} to:`, choices }
  const asked = given['state'] === undefined ? await ask([question], NOTHING_CHANGED) : {}
  const input: Record<string, unknown> = { ...given, ...asked }
  const wanted = String(input['state'])
  const step = transitions.find((one) => [one.state, one.name ?? ''].some((name) => equalsIgnoringCase(name, wanted)))
  const missing = (step?.required ?? []).filter(({ field }) => !isGiven(field, input))
  if (missing.length === 0) return input
  // A name with a dot would become a nested answer.
  const answers = await ask(
    missing.map(({ field, allowedValues }, index) => ({
      name: `field${index}`,
      message: `${printableLine(field)}:`,
      ...(allowedValues === null
        ? { type: 'input', validate: (text: string) => text.trim() !== '' || 'A value is required.' }
        : { type: 'select', choices: allowedValues.map((value) => ({ name: printableLine(value), value })) }),
    })),
    NOTHING_CHANGED,
  )
  const updates = Object.fromEntries(missing.map(({ field }, index) => [field, answers[`field${index}`]]))
  return { ...input, updates: { ...(isRecord(input['updates']) ? input['updates'] : {}), ...updates } }
}

function isGiven(field: string, { updates }: Record<string, unknown>): boolean {
  return isRecord(updates) && Object.keys(updates).some((name) => equalsIgnoringCase(name, field))
}
