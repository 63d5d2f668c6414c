import { asStudioError, errorBody, exitCodeOf, StudioError } from '../src/kernel/errors'
import { type Invocation, takeGlobalFlags } from './invocation'
import { loadManifest, type ManifestEntry } from './manifest'
import type { Terminal } from './terminal'
import { version } from './version'

/** One command line on any terminal. The only place where an error becomes an exit code. */
export async function runCommand(argv: readonly string[], terminal: Terminal, signal: AbortSignal): Promise<number> {
  try {
    const { flags, rest } = takeGlobalFlags(argv)
    return await dispatch(rest, { flags, terminal, signal, runCommand })
  } catch (error) {
    const asJson = takesJson(argv)
    await reportError(error, terminal, asJson, argv.includes('--no-color'))
    return exitCodeOf(asStudioError(error).code)
  }
}

async function dispatch(words: readonly string[], invocation: Invocation): Promise<number> {
  const manifest = await loadManifest()
  const { terminal } = invocation
  if (words[0] === '--version' || words[0] === '-V') {
    terminal.out(`${version}\n`)
    return 0
  }
  const asked = words[0] === 'help' ? [...words.slice(1), '--help'] : words
  const entry = entryFor(asked, manifest)
  if (!entry) return helpOrRefuse(asked, manifest, invocation)
  const args = asked.slice(entry.command.split(' ').length)
  if (entry.operations.length > 0) {
    const { runOperation } = await import('./run-operation')
    return runOperation(entry.operations, args, invocation)
  }
  const { runOwnCommand } = await import('./run-own-command')
  return runOwnCommand(entry.command, args, invocation)
}

/** The longest command that the words begin with. */
function entryFor(words: readonly string[], manifest: readonly ManifestEntry[]): ManifestEntry | null {
  for (let count = Math.min(words.length, 3); count > 0; count--) {
    const command = words.slice(0, count).join(' ')
    const entry = manifest.find((candidate) => candidate.command === command)
    if (entry) return entry
  }
  return null
}

async function helpOrRefuse(
  words: readonly string[],
  manifest: ManifestEntry[],
  invocation: Invocation,
): Promise<number> {
  const { rootHelp, nounHelp } = await import('./help')
  const named = words.filter((word) => !word.startsWith('-'))
  if (named.length === 0) {
    const unknown = words.find((word) => word !== '-h' && word !== '--help')
    if (unknown) throw new StudioError('invalid', `Unknown flag ${unknown}.`, { hint: 'See: studio --help' })
    invocation.terminal.out(rootHelp(manifest))
    return 0
  }
  const noun = [named.slice(0, 2).join(' '), named[0]!].find((prefix) =>
    manifest.some((e) => e.command.startsWith(`${prefix} `)),
  )
  const nothingMore = noun !== undefined && named.length === noun.split(' ').length
  const stray = words.find((word) => word.startsWith('-') && word !== '-h' && word !== '--help')
  if (nothingMore && stray)
    throw new StudioError('invalid', `Unknown flag ${stray}.`, { hint: `See: studio ${noun} --help` })
  if (nothingMore) {
    invocation.terminal.out(nounHelp(noun, manifest))
    return 0
  }
  throw await unknownCommand(named, noun, manifest)
}

async function unknownCommand(
  named: string[],
  noun: string | undefined,
  manifest: readonly ManifestEntry[],
): Promise<StudioError> {
  const { nearest } = await import('./suggest')
  const typed = named.slice(0, noun ? noun.split(' ').length + 1 : 1).join(' ')
  const nouns = manifest.map((entry) => entry.command.split(' ')[0]!)
  const meant = nearest(typed, [...manifest.map((entry) => entry.command), ...nouns])
  const hint = meant ? `Did you mean: studio ${meant}` : `See: studio ${noun ? `${noun} ` : ''}--help`
  return new StudioError('invalid', `There is no command "${typed}".`, { hint })
}

function takesJson(argv: readonly string[]): boolean {
  const end = argv.indexOf('--')
  return argv.slice(0, end < 0 ? argv.length : end).includes('--json')
}

async function reportError(error: unknown, terminal: Terminal, asJson: boolean, noColor: boolean): Promise<void> {
  if (terminal.env['STUDIO_DEBUG']) terminal.err(`${stackOf(error)}\n`)
  if (asJson) {
    const { terminalSafe } = await import('./terminal-safe')
    return terminal.err(`${terminalSafe(JSON.stringify(errorBody(error)))}\n`)
  }
  const { errorText } = await import('./error-text')
  terminal.err(errorText(asStudioError(error), terminal, noColor))
}

function stackOf(error: unknown): string {
  const lines: string[] = []
  for (let at: unknown = error; at instanceof Error; at = at.cause) lines.push(at.stack ?? at.message)
  return lines.join('\ncaused by: ')
}
