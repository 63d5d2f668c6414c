import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { StudioError } from '../src/kernel'
import type { StandaloneCommand } from './operation/command-parts'

export const licenses: StandaloneCommand = {
  define() {
    return {
      about:
        'Prints the licence of studio, those of the packages that are bundled with it, and in a single executable that of Node.js.',
      examples: ['studio licenses', 'studio licenses | grep ==='],
      related: ['doctor'],
    }
  },

  async run(_, { terminal }) {
    const files = ['../../LICENSE', '../THIRD-PARTY-LICENSES.txt', '../../NODE-LICENSE']
    const found = files.map((file) => join(import.meta.dirname, file)).filter((file) => existsSync(file))
    if (found.length < 2)
      throw new StudioError('not_found', 'The licences are not beside the program.', { hint: 'Run: npm run build' })
    terminal.out(`${found.map((file) => readFileSync(file, 'utf8').trim()).join('\n\n')}\n`)
    return 0
  },
}
