import { answerFromIndexFiles } from '../../src/search/file-index/search-index-files'
import { MAX_QUERY_LENGTH } from '../../src/search/rules/parse-query'
import { joinQueryArguments } from '../../src/search/rules/qualifiers'
import type { EntityType } from '../../src/search/services/search-index'
import { renderSearchResults } from '../views/stories/search-results'
import type { Terminal } from './invocation'
import { type GlobalFlags, takeGlobalFlags } from './invocation'
import { quickSettings } from './quick-settings'
import { quickText } from './quick-text'

/**
 * `studio search` from the index files alone. It loads neither the schemas nor the database and is bundled as one file, because loading
 * modules takes most of the time of a start. False means that the full program must run the command, and report its errors.
 */
export async function quickSearch(argv: readonly string[], terminal: Terminal): Promise<boolean> {
  const answer = await answerTo(argv, terminal)
  if (answer !== null) await terminal.show(answer.text, answer.flags)
  return answer !== null
}

async function answerTo(
  argv: readonly string[],
  terminal: Terminal,
): Promise<{ text: string; flags: GlobalFlags } | null> {
  try {
    const { flags, rest } = takeGlobalFlags(argv)
    const asked = flags.fields ? null : readArguments(rest.slice(1))
    const settings = asked && (await quickSettings(terminal))
    const answer = asked && settings?.isIndexed ? await answerFromIndexFiles(settings, asked) : null
    if (!answer) return null
    return { text: await quickText(answer, renderSearchResults, { flags, terminal }), flags }
  } catch {
    return null
  }
}

export interface SearchArguments {
  q: string
  limit: number
  type: EntityType | undefined
}

const DEFAULT_LIMIT = 20
const MAX_LIMIT = 200
const TYPES: readonly string[] = ['devops', 'draft', 'folder'] satisfies EntityType[]

/** Reads words, `--limit` and `--type`. Null for other flags and for invalid values. */
export function readArguments(args: readonly string[]): SearchArguments | null {
  const words: string[] = []
  const given: { limit?: string; type?: string } = {}
  for (let i = 0; i < args.length; i++) {
    const token = args[i]!
    if (token === '-h' || token === '-') return null
    if (!token.startsWith('--')) {
      words.push(token)
      continue
    }
    const [, name, value] = /^--(limit|type)(?:=(.*))?$/s.exec(token) ?? []
    if (name !== 'limit' && name !== 'type') return null
    given[name] = value ?? args[++i]
    if (given[name] === undefined) return null
  }
  const q = joinQueryArguments(words)
  const limit = given.limit === undefined ? DEFAULT_LIMIT : /^\d+$/.test(given.limit) ? Number(given.limit) : 0
  const { type } = given
  const isSound = q.trim() !== '' && q.length <= MAX_QUERY_LENGTH && limit >= 1 && limit <= MAX_LIMIT
  if (!isSound || (type !== undefined && !TYPES.includes(type))) return null
  return { q, limit, type: type as EntityType | undefined }
}
