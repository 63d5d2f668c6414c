import { isOffered } from '../../src/tracker/services/capabilities'
import { helpTopics } from '../help-topics'
import type { Terminal } from '../start/invocation'
import { quickSettings } from '../start/quick-settings'
import { printableLine } from '../terminal/printable'
import { type Candidate, findCompletionTarget } from './complete'
import { listStoredValues } from './list-stored-values'
import { loadCommands } from './load-commands'
import type { CommandSpec } from './spec'

/** What a script is answered: candidates, or that it completes a path itself after the part of the word before the path. */
type Answer = { words: Candidate[] } | { files: string }

/**
 * Answers the scripts of `studio completion`: `studio __complete <shell> -- <words up to the cursor…>`. It prints no errors, because it runs
 * at every press of a key. It is bundled as one file.
 */
export async function quickCompletion(argv: readonly string[], terminal: Terminal): Promise<true> {
  try {
    const shell = argv[1]
    const format = shell === 'powershell' ? formatAsJson : formatAsLines
    terminal.out(format(await answerTo(readWords(shell, argv), terminal)))
  } catch {
    // A shell cannot show an error here.
  }
  return true
}

function readWords(shell: string | undefined, argv: readonly string[]): string[] {
  // PowerShell changes words with quotes and drops empty ones, so its script sends lines in base64.
  if (shell === 'powershell') return Buffer.from(argv[2]!, 'base64').toString().split('\n')
  const words = argv.slice(argv.indexOf('--') + 1)
  return shell === 'bash' ? words.map(unquoted) : words
}

async function answerTo(words: readonly string[], terminal: Terminal): Promise<Answer> {
  const topics = Object.entries(helpTopics).map(([value, { summary }]) => ({ value, about: summary }))
  const wanted = findCompletionTarget(words, await listCommands(words, terminal), topics)
  if (wanted.kind === 'words') return { words: printable(wanted.words) }
  if (wanted.value === 'file') return { files: wanted.lead }
  const found = await listStoredValues(wanted, terminal)
  return { words: printable(found.map((candidate) => ({ ...candidate, value: wanted.lead + candidate.value }))) }
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
function printable(candidates: readonly Candidate[]): Candidate[] {
  return candidates
    .filter(({ value }) => value !== '' && printableLine(value) === value && !value.startsWith(':'))
    .map(({ value, about }) => ({ value, about: printableLine(about) }))
}

/** A line for each candidate: the word, a tab, its description. `:files` asks for a path. */
function formatAsLines(answer: Answer): string {
  if ('files' in answer) return `:files\t${answer.files}\n`
  return answer.words.map(({ value, about }) => `${value}\t${about}\n`).join('')
}

/** In ASCII, because the code page in which PowerShell reads it is not known. */
function formatAsJson(answer: Answer): string {
  const escapeUnit = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
  return `${JSON.stringify(answer).replace(/[\u0080-\uffff]/g, escapeUnit)}\n`
}

/** Bash passes words with the quotes that were typed. */
function unquoted(word: string): string {
  return word.replace(/^["']|(?<!\\)["']$/g, '').replace(/\\(.)/g, '$1')
}
