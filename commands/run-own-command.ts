import { StudioError } from '../src/kernel'
import type { Invocation } from './invocation'
import { parse } from './parse'
import { standaloneCommands } from './standalone-commands'

export async function runStandaloneCommand(
  name: string,
  args: readonly string[],
  invocation: Invocation,
): Promise<number> {
  const own = await standaloneCommands[name]!.load()
  const command = own.build()
  if (!parse(command, args, invocation)) return 0
  if (invocation.flags.fields && !invocation.flags.json) {
    throw new StudioError('invalid', '--fields goes with --json.', { hint: 'Add --json.' })
  }
  return own.run(command, invocation)
}
