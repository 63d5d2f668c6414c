import { isOffered } from '../../src/tracker/services/capabilities'
import { helpTopics } from '../help-topics'
import type { Terminal } from '../start/invocation'
import { quickSettings } from '../start/quick-settings'
import { printableLine } from '../terminal/printable'
import { type Candidate, findCompletionTarget } from './complete'
import { listStoredValues } from './list-stored-values'
import { loadCommands } from './load-commands'
import type { CommandSpec } from './spec'

/** Requests a path from the shell's script. Followed by the part of the word before the path. */
const FILES = ':files'

/**
 * Answers the scripts of `studio completion`: `studio __complete <shell> -- <words up to the cursor…>`. Prints a line for each candidate:
 * the word, a tab, its description. It prints no errors, because it runs at every press of a key. It is bundled as one file.
 */
export async function quickCompletion(argv: readonly string[], terminal: Terminal): Promise<true> {
  try {
    const words = argv.slice(argv.indexOf('--') + 1)
    terminal.out(await answerTo(argv[1] === 'bash' ? words.map(unquoted) : words, terminal))
  } catch {
    // A shell cannot show an error here.
  }
  return true
}

async function answerTo(words: readonly string[], terminal: Terminal): Promise<string> {
  const topics = Object.entries(helpTopics).map(([value, { summary }]) => ({ value, about: summary }))
  const wanted = findCompletionTarget(words, await listCommands(words, terminal), topics)
  if (wanted.kind === 'words') return linesOf(wanted.words)
  if (wanted.value === 'file') return `${FILES}\t${wanted.lead}\n`
  const found = await listStoredValues(wanted, terminal)
  return linesOf(found.map((candidate) => ({ ...candidate, value: wanted.lead + candidate.value })))
}

/** The commands without the flags that no tracker of the settings can do. The settings are read only if a flag is being typed. */
async function listCommands(words: readonly string[], terminal: Terminal): Promise<CommandSpec[]> {
  const commands = await loadCommands()
  const kinds = words.at(-1)?.startsWith('-') ? (await quickSettings(terminal))?.trackerKinds : undefined
  if (kinds === undefined) return commands
  return commands.map((command) => ({
    ...command,
    flags: command.flags.filter(({ needs }) => needs === undefined || isOffered(needs, kinds)),
  }))
}

/** Omits words with characters that cannot be printed, because the printed word would be a different one. */
function linesOf(candidates: readonly Candidate[]): string {
  return candidates
    .filter(({ value }) => value !== '' && printableLine(value) === value && !value.startsWith(':'))
    .map(({ value, about }) => `${value}\t${printableLine(about)}\n`)
    .join('')
}

/** Bash passes words with the quotes that were typed. */
function unquoted(word: string): string {
  return word.replace(/^["']|(?<!\\)["']$/g, '').replace(/\\(.)/g, '$1')
}
