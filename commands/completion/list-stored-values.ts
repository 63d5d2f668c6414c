import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { builtInTemplates } from '../../src/assistant/rules/prompts/built-in-templates'
import { resolvePaths } from '../../src/config/services/paths'
import type { NamedKind } from '../../src/names-from-files'
import { findEntitiesByIdPrefix } from '../../src/search/file-index/search-index-files'
import type { Terminal } from '../start/invocation'
import { quickSettings } from '../start/quick-settings'
import type { Candidate, CompletionTarget } from './complete'

/** More candidates do not fit into a window. */
const MAX_CANDIDATES = 50

const searched = { item: 'devops', draft: 'draft', folder: 'folder' } as const

/** The stored values of that kind that start with the typed text. */
export async function listStoredValues(
  wanted: Extract<CompletionTarget, { kind: 'value' }>,
  terminal: Terminal,
): Promise<Candidate[]> {
  const { value, filterByPrefix: beginning } = wanted
  if (value === 'file') return []
  const found = value === 'prompt' ? listPromptNames(terminal) : await findNames(value, wanted, terminal)
  return found.filter((candidate) => candidate.value.startsWith(beginning)).slice(0, MAX_CANDIDATES)
}

async function findNames(kind: NamedKind, wanted: Extract<CompletionTarget, { kind: 'value' }>, terminal: Terminal) {
  const { filterByPrefix: beginning } = wanted
  const settings = await quickSettings(terminal)
  if (settings === null) return []
  const isSearched = kind === 'item' || kind === 'draft' || kind === 'folder'
  const isId = /^\d*$/.test(beginning)
  // Only a work item has another name than its ID.
  if (isSearched && kind !== 'item' && !isId) return []
  const asked = { beginning, most: MAX_CANDIDATES }
  const { isIndexed } = settings
  const indexed =
    isSearched && isIndexed && isId
      ? findEntitiesByIdPrefix(settings.database, { type: searched[kind], ...asked })
      : null
  if (indexed) return indexed.map(({ id, reference, title }) => ({ value: reference ?? String(id), about: title }))
  const tenant = wanted.tenant ?? settings.tenant
  const { readStoredNames: storedNames } = await import('./read-stored-names')
  return storedNames({ database: settings.database, tenant }, kind, asked)
}

/** The built-in prompts and the user's own. */
function listPromptNames({ env }: Terminal): Candidate[] {
  const own = listFiles(join(resolvePaths(env).config, 'prompts'))
    .filter((name) => name.endsWith('.md') && !name.startsWith('.'))
    .map((name) => ({ value: name.slice(0, -'.md'.length), about: '' }))
  const builtIn = builtInTemplates.map(({ id, name }) => ({ value: id, about: name }))
  return [...builtIn, ...own.filter(({ value }) => builtIn.every((known) => known.value !== value))]
}

function listFiles(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
