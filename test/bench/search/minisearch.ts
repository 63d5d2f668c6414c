import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import { normalizeText } from '../../../src/search/rules/normalize-text'
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
  /** IDs, the best first. */
  search(query: string): number[]
}

/**
 * MiniSearch as well as it can be set: stems, no stop words, titles worth twice. It is no dependency of the project: it is fetched for
 * this bench alone, and null where that fails.
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
