import type { Invocation } from './invocation'
import { ownCommands } from './own-commands'
import { parse } from './parse'

export async function runOwnCommand(name: string, args: readonly string[], invocation: Invocation): Promise<number> {
  const own = await ownCommands[name]!.load()
  const command = own.build()
  return parse(command, args, invocation) ? own.run(command, invocation) : 0
}
