import { execute, StudioError } from '../src/kernel'
import { searchWorkspace } from '../src/search/operations/search-workspace'
import type { EntityType, SearchHit } from '../src/search/services/search-index'
import { openStudio } from '../src/studio'
import type { Invocation } from './invocation'
import { printableLine } from './printable'

const SHOWN = 20

/** `studio search` without words, on a terminal: finds while one types, and shows what one picks. */
export async function searchPrompt(invocation: Invocation): Promise<number> {
  const picked = await askForHit(invocation)
  return invocation.runCommand(picked, invocation.terminal, invocation.signal)
}

/** Whether a person is there to type a query that was not given. */
export function canPrompt(args: readonly string[], { flags, terminal }: Invocation): boolean {
  return args.length === 0 && terminal.canAsk && terminal.outIsTty && !flags.noInput && !flags.json
}

async function askForHit({ terminal, signal }: Invocation): Promise<string[]> {
  const { default: inquirer } = await import('inquirer')
  const studio = openStudio({ env: terminal.env, cwd: terminal.cwd })
  const ask = inquirer.createPromptModule({ output: process.stderr })
  try {
    const { picked } = await ask([
      {
        type: 'search',
        name: 'picked',
        message: 'Search',
        pageSize: SHOWN,
        source: async (typed: string | undefined, { signal: retyped }: { signal: AbortSignal }) => {
          if (!typed?.trim()) return []
          const context = studio.context({
            actor: { kind: 'terminal', tenant: studio.settings.tenant },
            signal: AbortSignal.any([signal, retyped]),
          })
          const { results } = await execute(searchWorkspace, { q: typed, limit: SHOWN }, context)
          return results.map((hit) => toChoice(hit as SearchHit))
        },
      },
    ])
    return picked as string[]
  } catch (error) {
    if (error instanceof Error && error.name === 'ExitPromptError') throw new StudioError('interrupted', 'Interrupted.')
    throw error
  } finally {
    await studio.close()
  }
}

/** What is run for a hit that is picked. */
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
