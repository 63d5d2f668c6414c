import { readFolderList } from '../../src/drafts/services/read-folder-list'
import { renderFolders } from '../views/stories/folder'
import { countMigrations } from './count-migrations'
import type { GlobalFlags, Terminal } from './invocation'
import { takeGlobalFlags } from './invocation'
import { quickSettings } from './quick-settings'
import { quickText } from './quick-text'

/** `studio folder list`, as `quickDrafts` answers the list of drafts. */
export async function quickFolders(argv: readonly string[], terminal: Terminal): Promise<boolean> {
  const answer = await answerTo(argv, terminal)
  if (answer === null) return false
  await terminal.show(answer.text, answer.flags)
  return true
}

async function answerTo(
  argv: readonly string[],
  terminal: Terminal,
): Promise<{ text: string; flags: GlobalFlags } | null> {
  try {
    const { flags, rest } = takeGlobalFlags(argv)
    const isPlain = !flags.fields && rest.length === 2
    const settings = isPlain ? await quickSettings(terminal) : null
    const folders = settings && (await readFolderList({ ...settings, steps: await countMigrations() }))
    if (!folders) return null
    return { text: await quickText(folders, renderFolders, { flags, terminal }), flags }
  } catch {
    return null
  }
}
