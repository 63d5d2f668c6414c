import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import { normalizeText } from '../../../src/kernel/text/normalize-text'
import { stem } from '../../../src/search/rules/stem'
import { isStopWord } from '../../../src/search/rules/stop-words'

const PACKAGE = 'minisearch@7'
const home = resolve('node_modules/.cache/studio/minisearch')

export interface Text {
  id: number
  title: string
  text: string
}

export interface Baseline {
  /** IDs, the best match first. */
  search(query: string): number[]
}

/**
 * MiniSearch with good settings: stems, no stop words, titles with double weight. It is not a dependency of the project, but is
 * downloaded for this benchmark only; null if that fails.
 */
export function miniSearchOver(texts: readonly Text[]): Baseline | null {
  if (!isThere() && !fetchPackage()) return null
  const required = createRequire(resolve(home, 'package.json'))('minisearch')
  const MiniSearch = required.default ?? required
  const index = new MiniSearch({
    fields: ['title', 'text'],
    processTerm: (word: string) => {
      const form = normalizeText(word)
      return isStopWord(form) ? null : stem(form)
    },
    searchOptions: { boost: { title: 2 } },
  })
  index.addAll(texts)
  return { search: (query) => index.search(query).map(({ id }: { id: number }) => id) }
}

function isThere(): boolean {
  return existsSync(resolve(home, 'node_modules/minisearch/package.json'))
}

function fetchPackage(): boolean {
  mkdirSync(home, { recursive: true })
  try {
    execFileSync('npm', ['install', '--no-save', '--silent', '--prefix', home, PACKAGE], { stdio: 'ignore' })
  } catch {
    return false
  }
  return isThere()
}
