import { StudioError } from '../src/kernel'
import type { Invocation } from './invocation'
import { ownCommands } from './own-commands'
import { parse } from './parse'

export async function runOwnCommand(name: string, args: readonly string[], invocation: Invocation): Promise<number> {
  const own = await ownCommands[name]!.load()
  const command = own.build()
  if (!parse(command, args, invocation)) return 0
  if (invocation.flags.fields && !invocation.flags.json) {
    throw new StudioError('invalid', '--fields goes with --json.', { hint: 'Add --json.' })
  }
  return own.run(command, invocation)
}
