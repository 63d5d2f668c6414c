import { execute } from '../src/kernel'
import { searchWorkspace } from '../src/search/operations/search-workspace'
import type { EntityType, SearchHit } from '../src/search/services/search-index'
import { openStudio } from '../src/studio'
import type { Invocation } from './start/invocation'
import { ask } from './terminal/ask'
import { printableLine } from './terminal/printable'

const SHOWN = 20

/** `studio search` without words, on a terminal: searches while the user types, and shows the hit that they pick. */
export async function searchPrompt(invocation: Invocation): Promise<number> {
  const picked = await askForHit(invocation)
  return invocation.runCommand(picked, invocation.terminal, invocation.signal)
}

/** Whether the user can be asked for a query. */
export function canPrompt(args: readonly string[], { flags, terminal }: Invocation): boolean {
  return args.length === 0 && terminal.canAsk && terminal.outIsTty && !flags.noInput && !flags.json
}

async function askForHit({ terminal, signal }: Invocation): Promise<string[]> {
  const studio = openStudio({ env: terminal.env, cwd: terminal.cwd })
  const findHits = async (typed: string | undefined, { signal: retyped }: { signal: AbortSignal }) => {
    if (!typed?.trim()) return []
    const context = studio.context({
      actor: { kind: 'terminal', tenant: studio.settings.tenant },
      signal: AbortSignal.any([signal, retyped]),
    })
    const { results } = await execute(searchWorkspace, { q: typed, limit: SHOWN }, context)
    return results.map((hit) => toChoice(hit as SearchHit))
  }
  try {
    const question = { type: 'search', name: 'picked', message: 'Search', pageSize: SHOWN, source: findHits }
    return (await ask([question], 'Interrupted.')).picked
  } finally {
    await studio.close()
  }
}

/** The command that shows a hit. */
const commands: Record<EntityType, (id: number) => string[]> = {
  devops: (id) => ['item', 'get', String(id)],
  draft: (id) => ['draft', 'get', String(id)],
  folder: (id) => ['draft', 'list', '--folder', String(id)],
}

const KINDS: Record<EntityType, string> = { devops: 'item', draft: 'draft', folder: 'folder' }

function toChoice({ type, id, title, state, snippet }: SearchHit) {
  const name = `${KINDS[type]} ${id}  ${printableLine(title)}${state ? `  (${printableLine(state)})` : ''}`
  return { name, short: printableLine(title), value: commands[type](id), description: printableLine(snippet) }
}
