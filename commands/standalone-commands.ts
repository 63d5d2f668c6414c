import type { Command } from 'commander'
import type { Invocation } from './invocation'

/** A command that is not an operation of the core: it runs a server, or other commands. */
export interface StandaloneCommand {
  build(): Command
  /** Resolves with the exit code. */
  run(command: Command, invocation: Invocation): Promise<number>
}

export const standaloneCommands: Record<string, { summary: string; load(): Promise<StandaloneCommand> }> = {
  serve: { summary: 'Serve the HTTP API on this machine', load: async () => (await import('./serve')).serve },
  mcp: {
    summary: 'Offer the operations as tools to an agent (MCP)',
    load: async () => (await import('./mcp')).mcp,
  },
  agent: {
    summary: 'Print what an agent should know of studio',
    load: async () => (await import('./agent')).agent,
  },
  openapi: {
    summary: "Print the API's description (OpenAPI 3.1)",
    load: async () => (await import('./openapi')).openapi,
  },
  sandbox: {
    summary: 'Run a tracker with sample work, for trying things out',
    load: async () => (await import('./sandbox')).sandbox,
  },
  chat: {
    summary: 'Talk with the language model about a story',
    load: async () => (await import('./chat/chat')).chat,
  },
  'draft edit': {
    summary: 'Edit a draft story in your editor',
    load: async () => (await import('./edit-draft')).editDraft,
  },
  init: {
    summary: 'Set studio up: tracker, token, language model, a facility to begin with',
    load: async () => (await import('./init/init')).init,
  },
  'config list': { summary: 'Show every setting', load: async () => (await import('./config')).configList },
  'config get': { summary: 'Print one setting', load: async () => (await import('./config')).configGet },
  'config set': {
    summary: 'Write one setting into your settings file, or into the project’s',
    load: async () => (await import('./config')).configSet,
  },
  'config trust': {
    summary: 'Trust the project’s settings file as it is now',
    load: async () => (await import('./config-trust')).configTrust,
  },
  completion: {
    summary: 'Print the completion of commands, flags and values for a shell',
    load: async () => (await import('./completion/completion')).completion,
  },
  demo: {
    summary: 'See the main operations at work, in a throwaway home',
    load: async () => (await import('./demo')).demo,
  },
}
