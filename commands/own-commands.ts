import type { Command } from 'commander'
import type { Invocation } from './invocation'

/** A command that is not an operation of the core: it runs a server, or other commands. */
export interface OwnCommand {
  build(): Command
  /** Resolves with the exit code. */
  run(command: Command, invocation: Invocation): Promise<number>
}

export const ownCommands: Record<string, { summary: string; load(): Promise<OwnCommand> }> = {
  serve: { summary: 'Serve the HTTP API on this machine', load: async () => (await import('./serve')).serve },
  sandbox: {
    summary: 'Run a tracker with sample work, for trying things out',
    load: async () => (await import('./sandbox')).sandbox,
  },
  demo: {
    summary: 'See the main operations at work, in a throwaway home',
    load: async () => (await import('./demo')).demo,
  },
}
