import { DRAFT_SORTS, type DraftSort } from '../../src/drafts/rules/draft-sort'
import { readDraftList } from '../../src/drafts/services/read-draft-list'
import { formatJson } from '../terminal/format-json'
import { countMigrations } from './count-migrations'
import type { Terminal } from './invocation'
import { takeGlobalFlags } from './invocation'
import { quickSettings } from './quick-settings'

/**
 * `studio draft list --json`, which scripts run often, without the schemas and the query builder. It is bundled as one file. False means
 * that the full program must run the command, and report its errors.
 */
export async function quickDrafts(argv: readonly string[], terminal: Terminal): Promise<boolean> {
  const text = await answerTo(argv, terminal)
  if (text !== null) terminal.out(text)
  return text !== null
}

async function answerTo(argv: readonly string[], terminal: Terminal): Promise<string | null> {
  try {
    const { flags, rest } = takeGlobalFlags(argv)
    const asked = flags.json && !flags.fields ? readArguments(rest.slice(2)) : null
    const settings = asked && (await quickSettings(terminal))
    if (!settings) return null
    const steps = await countMigrations()
    const drafts = await readDraftList({ ...settings, steps }, asked)
    return drafts && formatJson(drafts)
  } catch {
    return null
  }
}

interface DraftListArguments {
  folderId?: number | undefined
  sort: DraftSort
}

/** Reads `--folder` and `--sort`. Null for other flags and for invalid values. */
export function readArguments(args: readonly string[]): DraftListArguments | null {
  const given: { folder?: string; sort?: string } = {}
  for (let i = 0; i < args.length; i++) {
    const [, name, value] = /^--(folder|sort)(?:=(.*))?$/s.exec(args[i]!) ?? []
    if (name !== 'folder' && name !== 'sort') return null
    given[name] = value ?? args[++i] ?? ''
  }
  const sort = DRAFT_SORTS.find((known) => known === (given.sort ?? 'updated'))
  if (sort === undefined || (given.folder !== undefined && !/^[1-9]\d{0,14}$/.test(given.folder))) return null
  return { folderId: given.folder === undefined ? undefined : Number(given.folder), sort }
}
