import { DRAFT_SORTS, type DraftSort } from '../../src/drafts/rules/draft-sort'
import { readDraftList } from '../../src/drafts/services/read-draft-list'
import { limitNotice, MAX_ENTRIES } from '../operation/limit-notice'
import { writeNotice } from '../terminal/write-message'
import { renderDrafts } from '../views/stories/draft-list'
import { countMigrations } from './count-migrations'
import type { GlobalFlags, Terminal } from './invocation'
import { takeGlobalFlags } from './invocation'
import { quickSettings } from './quick-settings'
import { quickText } from './quick-text'

/**
 * `studio draft list`, which scripts run often, without the schemas and the database engine. It is bundled as one file. False means that
 * the full program must run the command, and report its errors.
 */
export async function quickDrafts(argv: readonly string[], terminal: Terminal): Promise<boolean> {
  const answer = await answerTo(argv, terminal)
  if (answer === null) return false
  const { text, notice, flags } = answer
  await terminal.show(text, flags)
  if (notice !== null) writeNotice({ terminal, flags }, notice)
  return true
}

async function answerTo(
  argv: readonly string[],
  terminal: Terminal,
): Promise<{ text: string; notice: string | null; flags: GlobalFlags } | null> {
  try {
    const { flags, rest } = takeGlobalFlags(argv)
    const asked = flags.fields ? null : readArguments(rest.slice(2))
    const settings = asked && (await quickSettings(terminal))
    if (!settings) return null
    const steps = await countMigrations()
    const found = await readDraftList({ ...settings, steps }, { ...asked, withTexts: flags.json })
    if (found === null) return null
    const notice = limitNotice(asked.limit, found.total)
    return { text: await quickText(found.drafts, renderDrafts, { flags, terminal }), notice, flags }
  } catch {
    return null
  }
}

interface DraftListArguments {
  folderId?: number | undefined
  sort: DraftSort
  limit?: number | undefined
}

/** Reads `--folder`, `--sort` and `--limit`. Null for other flags and for invalid values. */
export function readArguments(args: readonly string[]): DraftListArguments | null {
  const given: { folder?: string; sort?: string; limit?: string } = {}
  for (let i = 0; i < args.length; i++) {
    const [, name, value] = /^--(folder|sort|limit)(?:=(.*))?$/s.exec(args[i]!) ?? []
    if (name !== 'folder' && name !== 'sort' && name !== 'limit') return null
    given[name] = value ?? args[++i] ?? ''
  }
  const { folder, limit } = given
  const sort = DRAFT_SORTS.find((known) => known === (given.sort ?? 'updated'))
  if (sort === undefined || (folder !== undefined && !/^[1-9]\d{0,14}$/.test(folder))) return null
  if (limit !== undefined && !(/^[1-9]\d{0,2}$/.test(limit) && Number(limit) <= MAX_ENTRIES)) return null
  return {
    folderId: folder === undefined ? undefined : Number(folder),
    sort,
    limit: limit === undefined ? undefined : Number(limit),
  }
}
