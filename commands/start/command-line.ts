import { asStudioError, errorBody, exitCodeOf, StudioError, withPlainHint } from '../../src/kernel/errors'
import { runOperation } from '../operation/run-operation'
import { helpTextFor, helpWidth } from './help'
import type { ManifestEntry, Terminal } from './invocation'
import { type Invocation, takeGlobalFlags } from './invocation'
import { loadManifest } from './manifest'
import { version } from './version'

/** Runs a command line on any terminal. Only here an error becomes an exit code. */
export async function runCommand(argv: readonly string[], terminal: Terminal, signal: AbortSignal): Promise<number> {
  try {
    const { flags, rest } = takeGlobalFlags(argv)
    const invocation: Invocation = { flags, terminal, signal, session: {}, runCommand, loadManifest }
    try {
      return await dispatch(rest, invocation)
    } finally {
      await invocation.session.opened?.studio.close()
    }
  } catch (error) {
    const asJson = takesJson(argv)
    await reportError(error, terminal, asJson, argv.includes('--no-color'))
    return exitCodeOf(asStudioError(error).code)
  }
}

/** Reports that the result of a command cannot be printed, and returns the exit code. */
export async function reportLostOutput(
  cause: NodeJS.ErrnoException,
  argv: readonly string[],
  terminal: Terminal,
): Promise<number> {
  const full = FULL_DISK[cause.code ?? '']
  const message = `Standard output cannot be written: ${full ?? cause.code ?? cause.message}.`
  const error = new StudioError(full ? 'disk_full' : 'unavailable', message, { cause })
  await reportError(error, terminal, takesJson(argv), argv.includes('--no-color'))
  return exitCodeOf(error.code)
}

const FULL_DISK: Record<string, string> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'its file has reached the limit on the size of files',
}

async function dispatch(words: readonly string[], invocation: Invocation): Promise<number> {
  const manifest = await loadManifest()
  const { terminal } = invocation
  if (words[0] === '--version' || words[0] === '-V') {
    terminal.out(`${version}\n`)
    return 0
  }
  const help = helpTextFor(words, manifest, helpWidth(terminal))
  if (help !== null) {
    terminal.out(help)
    return 0
  }
  const asked = words[0] === 'help' ? [...words.slice(1), '--help'] : words
  const entry = entryFor(asked, manifest)
  if (!entry) throw await unknownWords(asked, manifest)
  const args = asked.slice(entry.command.split(' ').length)
  if (entry.command === 'search' && args.length === 0) {
    const { canPrompt: mayPrompt, searchPrompt } = await import('../search-prompt')
    if (mayPrompt(args, invocation)) return searchPrompt(invocation)
  }
  if (entry.operations.length > 0) {
    return runOperation(entry.operations, args, invocation)
  }
  const { runStandaloneCommand } = await import('./standalone-commands')
  return runStandaloneCommand(entry.command, args, invocation)
}

/** The longest command that the words start with. */
function entryFor(words: readonly string[], manifest: readonly ManifestEntry[]): ManifestEntry | null {
  for (let count = Math.min(words.length, 3); count > 0; count--) {
    const command = words.slice(0, count).join(' ')
    const entry = manifest.find((candidate) => candidate.command === command)
    if (entry) return entry
  }
  return null
}

/** The error for words that start with no command and do not ask for help. */
async function unknownWords(words: readonly string[], manifest: readonly ManifestEntry[]): Promise<StudioError> {
  const named = words.filter((word) => !word.startsWith('-'))
  const noun = [named.slice(0, 2).join(' '), named[0]!].find((prefix) =>
    manifest.some((e) => e.command.startsWith(`${prefix} `)),
  )
  const nothingMore = named.length === (noun?.split(' ').length ?? 0)
  const stray = words.find((word) => word.startsWith('-') && word !== '-h' && word !== '--help')
  if (!nothingMore || !stray) return unknownCommand(named, noun, manifest)
  return new StudioError('invalid', `Unknown flag ${stray}.`, { hint: `See: studio ${noun ? `${noun} ` : ''}--help` })
}

async function unknownCommand(
  named: string[],
  noun: string | undefined,
  manifest: readonly ManifestEntry[],
): Promise<StudioError> {
  const { findNearest } = await import('./parse')
  const typed = named.slice(0, noun ? noun.split(' ').length + 1 : 1).join(' ')
  const nouns = manifest.map((entry) => entry.command.split(' ')[0]!)
  const meant = findNearest(typed, [...manifest.map((entry) => entry.command), ...nouns])
  const hint = meant ? `Did you mean: studio ${meant}` : `See: studio ${noun ? `${noun} ` : ''}--help`
  return new StudioError('invalid', `There is no command "${typed}".`, { hint })
}

function takesJson(argv: readonly string[]): boolean {
  const end = argv.indexOf('--')
  return argv.slice(0, end < 0 ? argv.length : end).includes('--json')
}

async function reportError(error: unknown, terminal: Terminal, asJson: boolean, noColor: boolean): Promise<void> {
  if (terminal.env['STUDIO_DEBUG']) terminal.err(`${stackOf(error)}\n`)
  const known = await withPlainHint(asStudioError(error), async (call) =>
    (await import('../../src/catalog')).formatCommand(call),
  )
  if (asJson) {
    const { escapeForTerminal } = await import('../terminal/format-json')
    return terminal.err(`${escapeForTerminal(JSON.stringify(errorBody(known)))}\n`)
  }
  const { errorText } = await import('../terminal/error-text')
  terminal.err(errorText(known, terminal, noColor))
}

function stackOf(error: unknown): string {
  const lines: string[] = []
  for (let at: unknown = error; at instanceof Error; at = at.cause) lines.push(at.stack ?? at.message)
  return lines.join('\ncaused by: ')
}
