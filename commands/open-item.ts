import { loadOperation } from '../src/catalog'
import { StudioError } from '../src/kernel'
import type { StandaloneCommand } from './operation/command-parts'
import { executeHere } from './operation/with-studio'
import type { Invocation } from './start/invocation'
import { isWebPage, showPage } from './terminal/open-page'

/** `studio open`: reads the item from the tracker only if it is not cached. */
export const openItem: StandaloneCommand = {
  define(command) {
    command.argument('<id>', 'Work item ID').option('--print', 'Print the address and open nothing')
    return {
      about:
        'Opens the page of a work item in $BROWSER or the default browser. Without a browser, such as over SSH, the command prints the address.',
      examples: ['studio open 204 --print'],
      related: ['item get', 'search'],
    }
  },

  async run(command, invocation) {
    const [text] = command.args
    if (!/^[1-9]\d{0,15}$/.test(text!)) {
      throw new StudioError('invalid', `<id> must be a work item ID, not "${text}".`, { hint: 'See: studio item list' })
    }
    const { url } = await findItem(Number(text), invocation)
    if (!isWebPage(url)) throw new StudioError('not_found', `Work item ${text} has no page in the tracker.`)
    const { print } = command.opts() as { print?: true }
    await showPage({ id: Number(text), url, print }, invocation)
    return 0
  },
}

async function findItem(id: number, invocation: Invocation): Promise<{ url: string }> {
  const getItem = await loadOperation('items.get')
  try {
    return (await executeHere(getItem, { id, cached: true }, invocation)) as { url: string }
  } catch (error) {
    if (!(error instanceof StudioError) || error.code !== 'not_found') throw error
    return (await executeHere(getItem, { id }, invocation)) as { url: string }
  }
}
