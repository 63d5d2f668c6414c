import { loadSettings } from '../src/config'
import type { StandaloneCommand } from './operation/command-parts'
import { version } from './start/version'
import { formatJson } from './terminal/format-json'

export const openapi: StandaloneCommand = {
  define(command) {
    command.option('--yaml', 'Print YAML instead of JSON')
    return {
      about: 'Prints what studio serve answers at /openapi.json and /openapi.yaml.',
      examples: ['studio openapi > openapi.json', 'studio openapi --yaml'],
      related: ['serve', 'agent'],
    }
  },

  async run(command, { terminal }) {
    const { yaml } = command.opts() as { yaml?: true }
    const [{ factsHere }, { discoveryDocuments }] = await Promise.all([
      import('../src/http/discovery/facts-here'),
      import('../src/http/discovery/documents'),
    ])
    const facts = await factsHere(loadSettings({ env: terminal.env, cwd: terminal.cwd }), version)
    const { write } = discoveryDocuments.find(({ path }) => path === '/openapi.yaml')!
    terminal.out(yaml ? await write(facts) : formatJson(facts.openApi()))
    return 0
  },
}
