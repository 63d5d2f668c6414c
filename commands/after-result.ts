import type { Command } from 'commander'
import type { AnyOperation } from '../src/kernel'
import type { Invocation } from './invocation'

/** What a command does with its result besides showing it. */
export type AfterResult = (result: any, options: Record<string, unknown>, invocation: Invocation) => Promise<void>

const steps: Record<string, () => Promise<AfterResult>> = {
  'search.fast': async () => (await import('./open-page')).openFirstPage,
}

export async function afterResult(
  operation: AnyOperation,
  command: Command,
  result: unknown,
  invocation: Invocation,
): Promise<void> {
  const step = await steps[operation.id]?.()
  await step?.(result, command.opts(), invocation)
}
