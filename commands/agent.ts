import { loadAllOperations } from '../src/catalog'
import { loadSettings } from '../src/config'
import type { Invocation } from './invocation'
import { renderJson, requireFields } from './render-json'
import type { StandaloneCommand } from './standalone-commands'
import { version } from './version'

export const agent: StandaloneCommand = {
  define(command) {
    command.option('--skill', 'print a skill file instead, for agents that use the command line')
    return {
      about:
        'Prints the handshake that studio serve answers to GET /api/agent: capabilities, links and first calls. The output is JSON with and without --json.',
      examples: ['studio agent', 'studio agent --json --fields server,links', 'studio agent --skill > SKILL.md'],
      related: ['mcp', 'openapi', 'serve'],
    }
  },

  async run(command, invocation) {
    const { skill } = command.opts() as { skill?: true }
    invocation.terminal.out(await (skill ? skillFile(invocation) : handshakeText(invocation)))
    return 0
  },
}

async function skillFile({ loadManifest }: Invocation): Promise<string> {
  const [{ skillText }, manifest, operations] = await Promise.all([
    import('./skill-text'),
    loadManifest(),
    loadAllOperations(),
  ])
  return skillText({ version, manifest, operations })
}

async function handshakeText({ terminal, flags }: Invocation): Promise<string> {
  const [{ Handshake, handshake }, { factsHere }] = await Promise.all([
    import('../src/http/discovery/handshake'),
    import('../src/http/discovery/facts-here'),
  ])
  if (flags.fields) requireFields(flags.fields, Handshake)
  const facts = await factsHere(loadSettings({ env: terminal.env, cwd: terminal.cwd }), version)
  return renderJson(handshake(facts), flags.fields, Handshake)
}
