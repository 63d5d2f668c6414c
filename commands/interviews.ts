import type { AnyOperation } from '../src/kernel'
import type { Invocation } from './invocation'

type Interview = () => Promise<Record<string, unknown>>

/** Operations that ask for their input step by step where nothing was typed and a person is there to answer. */
const interviews: Record<string, () => Promise<Interview>> = {
  'facilities.create': async () => (await import('./ask-for-facility')).askForFacility,
}

export async function completed(
  operation: AnyOperation,
  typed: Record<string, unknown>,
  { flags, terminal }: Invocation,
): Promise<Record<string, unknown>> {
  const load = interviews[operation.id]
  if (!load || Object.keys(typed).length > 0 || flags.noInput || flags.json || !terminal.canAsk) return typed
  const interview = await load()
  return interview()
}
