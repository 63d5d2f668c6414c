import { Command } from 'commander'
import { StudioError } from '../../src/kernel'
import type { StandaloneCommand } from '../operation/command-parts'
import { addHelpText } from './help'
import type { Invocation } from './invocation'
import { parse } from './parse'

export const standaloneCommands: Record<string, { summary: string; load(): Promise<StandaloneCommand> }> = {
  serve: { summary: 'Serve the HTTP API on this machine', load: async () => (await import('../serve')).serve },
  console: {
    summary: 'Open the web console of the service, signed in',
    load: async () => (await import('../open-console')).openConsole,
  },
  mcp: { summary: 'Serve the operations as tools for an agent (MCP)', load: async () => (await import('../mcp')).mcp },
  agent: {
    summary: 'Print what an agent needs to know about studio',
    load: async () => (await import('../agent')).agent,
  },
  openapi: {
    summary: 'Print the description of the API (OpenAPI 3.1)',
    load: async () => (await import('../openapi')).openapi,
  },
  sandbox: { summary: 'Run a tracker with sample data', load: async () => (await import('../sandbox')).sandbox },
  chat: {
    summary: 'Chat with the language model about a story',
    load: async () => (await import('../chat/chat')).chat,
  },
  'draft edit': {
    summary: 'Edit a draft in your editor, or write a new one',
    load: async () => (await import('../edit-draft')).editDraft,
  },
  'item edit': {
    summary: 'Edit a work item in your editor, or from a file',
    load: async () => (await import('../edit-item')).editItem,
  },
  open: { summary: 'Open a work item in the browser', load: async () => (await import('../open-item')).openItem },
  init: {
    summary: 'Set up studio: tracker, token, language model and a first facility',
    load: async () => (await import('../init/init')).init,
  },
  login: {
    summary: 'Sign in to a tracker in a browser, instead of storing a token',
    load: async () => (await import('../login')).login,
  },
  logout: { summary: 'Delete the stored sign-in to a tracker', load: async () => (await import('../login')).logout },
  'config list': { summary: 'List all settings', load: async () => (await import('../config')).configList },
  'config get': { summary: 'Print a setting', load: async () => (await import('../config')).configGet },
  'config set': {
    summary: 'Change a setting in your settings file, or in that of the project',
    load: async () => (await import('../config')).configSet,
  },
  'config trust': {
    summary: 'Trust the settings file of this project in its current form',
    load: async () => (await import('../config-trust')).configTrust,
  },
  completion: {
    summary: 'Print a shell script that completes commands, flags and values',
    load: async () => (await import('../completion/completion')).completion,
  },
  licenses: {
    summary: 'Print the licences of studio and of the packages in it',
    load: async () => (await import('../licenses')).licenses,
  },
  demo: { summary: 'Run the main operations in a temporary folder', load: async () => (await import('../demo')).demo },
}

export async function buildStandaloneCommand(
  name: string,
): Promise<{ command: Command; run: StandaloneCommand['run'] }> {
  const { summary, load } = standaloneCommands[name]!
  const { define, run } = await load()
  const command = new Command(name).description(summary)
  return { command: addHelpText(command, define(command)), run }
}

export async function runStandaloneCommand(
  name: string,
  args: readonly string[],
  invocation: Invocation,
): Promise<number> {
  const { command, run } = await buildStandaloneCommand(name)
  if (!parse(command, args, invocation)) return 0
  if (invocation.flags.fields && !invocation.flags.json) {
    throw new StudioError('invalid', '--fields goes with --json.', { hint: 'Add --json.' })
  }
  return run(command, invocation)
}
