import { Argument, Command } from 'commander'
import { dressCommand } from '../help'
import type { OwnCommand } from '../own-commands'
import { INSTALL, SHELLS, type Shell, scripts } from './scripts'

export const completion: OwnCommand = {
  build() {
    const command = new Command('completion')
      .description('Print the completion of commands, flags and values for a shell')
      .addArgument(new Argument('<shell>', 'whose script to print').choices(SHELLS))
    return dressCommand(command, { about: INSTALL, examples: ['studio completion bash', 'studio completion fish'] })
  },

  async run(command, { terminal, flags }) {
    const script = scripts[command.processedArgs[0] as Shell]
    terminal.out(flags.json ? `${JSON.stringify(script)}\n` : script)
    return 0
  },
}
