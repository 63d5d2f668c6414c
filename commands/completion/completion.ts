import { Argument, Command } from 'commander'
import { addHelpText } from '../help'
import type { StandaloneCommand } from '../standalone-commands'
import { INSTALL, SHELLS, type Shell, scripts } from './scripts'

export const completion: StandaloneCommand = {
  build() {
    const command = new Command('completion')
      .description('Print the completion of commands, flags and values for a shell')
      .addArgument(new Argument('<shell>', 'whose script to print').choices(SHELLS))
    return addHelpText(command, { about: INSTALL, examples: ['studio completion bash', 'studio completion fish'] })
  },

  async run(command, { terminal, flags }) {
    const script = scripts[command.processedArgs[0] as Shell]
    terminal.out(flags.json ? `${JSON.stringify(script)}\n` : script)
    return 0
  },
}
