import { Command } from 'commander'
import { loadSettings } from '../src/config'
import { dressCommand } from './help'
import type { OwnCommand } from './own-commands'
import { version } from './version'
import { wholeJson } from './whole-json'

export const openapi: OwnCommand = {
  build() {
    const command = new Command('openapi')
      .description("Print the API's description (OpenAPI 3.1)")
      .option('--yaml', 'as YAML')
    return dressCommand(command, {
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
    else terminal.out(wholeJson(facts.openApi()))
    return 0
  },
}
