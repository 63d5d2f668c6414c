import { helpTopics } from '../help-topics'
import { printableLine } from '../printable'
import { processTerminal, type Terminal } from '../terminal'
import { type Candidate, findCompletionTarget } from './complete'
import { listStoredValues } from './list-stored-values'
import { loadCommands } from './spec'

/** Says to the shell's script that a file's path is wanted. Followed by what stands before the path in the same word. */
const FILES = ':files'

/**
 * What the scripts of `studio completion` ask: `studio __complete <shell> -- <words up to the cursor…>`. A line each: the word, a tab,
 * what it stands for. Whatever is amiss, it says nothing, for it is asked at every press of a key; the build makes one file of it.
 */
export async function quickCompletion(argv: readonly string[], terminal = processTerminal()): Promise<true> {
  try {
    const words = argv.slice(argv.indexOf('--') + 1)
    terminal.out(await answerTo(argv[1] === 'bash' ? words.map(unquoted) : words, terminal))
  } catch {
    // a shell has no place to show it
  }
  return true
}

async function answerTo(words: readonly string[], terminal: Terminal): Promise<string> {
  const topics = Object.entries(helpTopics).map(([value, { summary }]) => ({ value, about: summary }))
  const wanted = findCompletionTarget(words, await loadCommands(), topics)
  if (wanted.kind === 'words') return linesOf(wanted.words)
  if (wanted.value === 'file') return `${FILES}\t${wanted.lead}\n`
  const found = await listStoredValues(wanted, terminal)
  return linesOf(found.map((candidate) => ({ ...candidate, value: wanted.lead + candidate.value })))
}

/** A word that would have to be altered to be shown is not offered: it would be another one. */
function linesOf(candidates: readonly Candidate[]): string {
  return candidates
    .filter(({ value }) => value !== '' && printableLine(value) === value && !value.startsWith(':'))
    .map(({ value, about }) => `${value}\t${printableLine(about)}\n`)
    .join('')
}

/** Bash hands words over with the quotes that were typed. */
function unquoted(word: string): string {
  return word.replace(/^["']|(?<!\\)["']$/g, '').replace(/\\(.)/g, '$1')
}
