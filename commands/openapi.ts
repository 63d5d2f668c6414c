import { Command } from 'commander'
import { loadSettings } from '../src/config'
import { formatJson } from './format-json'
import { addHelpText } from './help'
import type { StandaloneCommand } from './standalone-commands'
import { version } from './version'

export const openapi: StandaloneCommand = {
  build() {
    const command = new Command('openapi')
      .description("Print the API's description (OpenAPI 3.1)")
      .option('--yaml', 'as YAML')
    return addHelpText(command, {
      about: 'The same as /openapi.json and /openapi.yaml of studio serve.',
      examples: ['studio openapi > openapi.json', 'studio openapi --yaml'],
      related: ['serve', 'agent'],
    })
  },

  async run(command, { terminal }) {
    const { yaml } = command.opts() as { yaml?: true }
    const { factsHere } = await import('../src/http/discovery/facts-here')
    const facts = await factsHere(loadSettings({ env: terminal.env, cwd: terminal.cwd }), version)
    if (yaml) terminal.out((await import('../src/http/discovery/yaml-text')).yamlText(facts.openApi()))
    else terminal.out(formatJson(facts.openApi()))
    return 0
  },
}
