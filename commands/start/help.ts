import type { Command } from 'commander'
import type { AnyOperation } from '../../src/kernel'
import { helpTopics, topicText } from '../help-topics'
import { wrapCommandLine, wrapLine } from '../terminal/wrap-text'
import type { ManifestEntry, Terminal } from './invocation'
import { globalFlagHelp } from './invocation'

const mainCommands = ['import', 'copy-sanitize', 'search', 'batch-update', 'brief', 'book', 'reschedule']
const startCommands = ['init', 'demo', 'serve', 'sandbox']

/** The help of studio itself, of a command group or of a topic. Null if the words ask for none of these. */
export function helpTextFor(
  words: readonly string[],
  manifest: readonly ManifestEntry[],
  width: number,
): string | null {
  const topic = words[0] === 'help' && words.length === 2 ? topicText(words[1]!) : null
  if (topic !== null) return foldHelp(topic, width)
  const asked = words[0] === 'help' ? words.slice(1) : words
  const named = asked.filter((word) => word !== '-h' && word !== '--help').join(' ')
  if (named === '') return foldHelp(rootHelp(manifest), width)
  const isNoun =
    manifest.every(({ command }) => command !== named) && manifest.some(({ command }) => isUnder(named, command))
  return isNoun ? foldHelp(nounHelp(named, manifest), width) : null
}

/** Columns of help: those of the window, up to a readable width. */
export function helpWidth({ outIsTty, width }: Pick<Terminal, 'outIsTty' | 'width'>): number {
  return outIsTty ? Math.min(width, MAX_HELP_WIDTH) : MAX_HELP_WIDTH
}

const MAX_HELP_WIDTH = 100

/** Wraps each line at words, and the text after a name in its own column. Examples are wrapped before flags, as a shell reads them. */
export function foldHelp(text: string, width: number): string {
  let isExample = false
  return text
    .split('\n')
    .map((line) => {
      isExample = line === 'Examples:' || (isExample && line !== '')
      return isExample ? wrapCommandLine(line, width) : wrapLine(line, width, ' '.repeat(hangingIndent(line)))
    })
    .join('\n')
}

/** The column of the text after a name, as in `  --json   print the result`; without a name, that of the line. */
function hangingIndent(line: string): number {
  const gap = line.startsWith(' ') ? /(?<=\S) {2,}(?=\S)/.exec(line) : null
  const text = gap ? gap.index + gap[0].length : Number.POSITIVE_INFINITY
  return text <= MAX_NAME_WIDTH ? text : /^ */.exec(line)![0].length
}

/** A wider name leaves too few columns for the text after it. */
const MAX_NAME_WIDTH = 44

function isUnder(noun: string, command: string): boolean {
  return command.startsWith(`${noun} `)
}

/** `studio --help` */
function rootHelp(manifest: readonly ManifestEntry[]): string {
  const named = new Map(manifest.map((entry) => [entry.command, entry.summary]))
  const nouns = new Map<string, string[]>()
  for (const { command } of manifest) {
    const [noun, ...verb] = command.split(' ')
    if (verb.length > 0) nouns.set(noun!, [...(nouns.get(noun!) ?? []), verb.join(' ')])
  }
  const shown = [...startCommands, ...mainCommands]
  const others = manifest.filter(({ command }) => !command.includes(' ') && !shown.includes(command))
  return [
    'studio: a local workspace for work items of a tracker, and a scheduler for loading docks',
    '',
    'Usage: studio <command> [arguments] [flags]',
    '',
    'Getting started:',
    ...startCommands.map((command) => line(command, named.get(command)!)),
    '',
    'Main commands:',
    ...mainCommands.map((command) => line(command, named.get(command)!)),
    '',
    'More commands:',
    ...others.map(({ command, summary }) => line(command, summary)),
    '',
    'Command groups (studio <group> --help):',
    ...[...nouns].map(([noun, verbs]) => line(noun, verbs.join(', '))),
    '',
    'Global flags:',
    ...globalFlagHelp.map(([flag, about]) => line(flag, about)),
    line('--version', 'Print the version'),
    '',
    'Help topics (studio help <topic>):',
    ...Object.entries(helpTopics).map(([name, { summary }]) => line(name, summary)),
    '',
    'Without STUDIO_TRACKER_URL, commands use a sandbox with sample data. Try:',
    '  studio demo',
    '  studio import 101',
    '  studio search "dock door"',
    '',
    'Help for a command: studio <command> --help',
    '',
  ].join('\n')
}

/** `studio item`: the verbs of a noun. */
function nounHelp(noun: string, manifest: readonly ManifestEntry[]): string {
  const entries = manifest.filter((entry) => entry.command.startsWith(`${noun} `))
  const width = Math.max(16, ...entries.map((entry) => entry.command.length + 2))
  return [
    `Usage: studio ${noun} <command> [arguments] [flags]`,
    '',
    'Commands:',
    ...entries.map((entry) => line(entry.command, entry.summary, width)),
    '',
    `Help for a command: studio ${entries[0]!.command} --help`,
    '',
  ].join('\n')
}

function line(name: string, about: string, width = 16): string {
  return `  ${name.padEnd(width)}  ${about}`
}

export function addOperationHelp(
  command: Command,
  operations: readonly AnyOperation[],
  hiddenFlags: ReadonlySet<string>,
): Command {
  const hasHiddenFlag = (example: string) => example.split(' ').some((word) => hiddenFlags.has(word))
  const examples = operations.flatMap((op) => op.cli!.examples).filter((example) => !hasHiddenFlag(example))
  const related = [...new Set(operations.flatMap((op) => op.cli!.seeAlso ?? []))]
  const about = operations.map((op) => op.description).filter(Boolean)
  return addHelpText(command, { examples, related, about: about.join('\n\n') })
}

/** The help of a command besides its arguments and flags. */
export interface HelpText {
  examples: string[]
  /** As typed after `studio`. */
  related?: string[]
  about?: string
}

const texts = new WeakMap<Command, HelpText>()

export function getHelpText(command: Command): HelpText {
  return texts.get(command) ?? { examples: [] }
}

export function addHelpText(command: Command, text: HelpText): Command {
  texts.set(command, text)
  command.exitOverride().configureOutput({ writeOut: () => {}, writeErr: () => {} })
  command.configureHelp({ commandUsage: (cmd) => `studio ${cmd.name()} ${cmd.usage()}` })
  command.helpOption('-h, --help', 'Show this help')
  const parts = [
    text.about ? `\n${unwrapped(text.about)}` : '',
    text.examples.length ? `\nExamples:\n${text.examples.map((example) => `  ${example}`).join('\n')}` : '',
    text.related?.length ? `\nRelated: ${text.related.map((name) => `studio ${name}`).join(', ')}` : '',
    '\nGlobal flags (--json, --fields, --quiet, …): studio --help',
  ]
  return command.addHelpText('after', parts.filter(Boolean).join('\n'))
}

/** Joins the lines of each paragraph, so that it can be wrapped at the width of the window. Tables are not joined. */
function unwrapped(about: string): string {
  return paragraphsOf(about)
    .map(({ text, keepsLines }) => (keepsLines ? text : text.replaceAll('\n', ' ')))
    .join('\n\n')
}

export interface Paragraph {
  text: string
  /** Whether its lines are a table or commands: all of them are indented. */
  keepsLines: boolean
}

export function paragraphsOf(about: string | null): Paragraph[] {
  const parts = about ? about.split(/\n\n+/) : []
  return parts.map((text) => ({ text, keepsLines: text.split('\n').every((line) => line.startsWith('  ')) }))
}
