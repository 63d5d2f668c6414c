import { Argument } from 'commander'
import type { StandaloneCommand } from '../operation/command-parts'
import bash from './studio.bash?raw'
import fish from './studio.fish?raw'
import powershell from './studio.ps1?raw'
import zsh from './studio.zsh?raw'

export const completion: StandaloneCommand = {
  define(command) {
    command.addArgument(new Argument('<shell>', 'Shell to print the script for').choices(SHELLS))
    return { about: INSTALL, examples: ['studio completion bash', 'studio completion fish'] }
  },

  async run(command, { terminal, flags }) {
    const script = scripts[command.processedArgs[0] as Shell]
    terminal.out(flags.json ? `${JSON.stringify(script)}\n` : script)
    return 0
  },
}

export const SHELLS = ['bash', 'zsh', 'fish', 'powershell'] as const
export type Shell = (typeof SHELLS)[number]

/**
 * Each script calls `studio __complete` with the words up to the cursor, and treats the answer as text: it is quoted for the command line,
 * and never run.
 */
export const scripts: Record<Shell, string> = { bash, zsh, fish, powershell }

/** Where a shell finds it. */
export const INSTALL = `Save the script where your shell looks for it, and start a new shell:

  bash
    studio completion bash > ~/.local/share/bash-completion/completions/studio
    or, without the bash-completion package, add to ~/.bashrc:
    source <(studio completion bash)
  zsh
    studio completion zsh > "\${fpath[1]}/_studio"
    or add to ~/.zshrc, after compinit:
    source <(studio completion zsh)
  fish
    studio completion fish > ~/.config/fish/completions/studio.fish
  PowerShell
    add to the file that $PROFILE names:
    studio completion powershell | Out-String | Invoke-Expression

The script completes commands, flags and their values, and the names of stored
work items, drafts, folders, filters, facilities, appointments, tenants and
prompts. Studio itself does not write to the files of your shell.`
