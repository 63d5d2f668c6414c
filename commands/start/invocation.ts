import { StudioError } from '../../src/kernel/errors'
import type { Session } from '../operation/session'

/** The streams of a command and what they can show. Tests use one in memory. */
export interface Terminal {
  /** Results. */
  out(text: string): void
  /** A file as a result. */
  outBytes(bytes: Uint8Array): void
  /** Prints a result, in a pager if it is longer than the window. `noColor` also disables colors of the pager. */
  show(text: string, options?: { noColor: boolean }): Promise<void>
  /** Errors, notices and prompts. */
  err(text: string): void
  /** The whole standard input. The signal ends the wait for it. */
  readInput(signal: AbortSignal): Promise<string>
  /** The same as it is, of at most `max` bytes. */
  readInputBytes(signal: AbortSignal, max: number): Promise<Buffer>
  /** The same in pieces. */
  openInput(signal: AbortSignal): AsyncIterable<Uint8Array>
  /** Whether a user reads the results. */
  readonly outIsTty: boolean
  /** Whether a user can see progress and answer questions. */
  readonly canAsk: boolean
  /** Columns; 80 without a window. */
  readonly width: number
  /** Lines; 24 without a window. */
  readonly height: number
  readonly env: NodeJS.ProcessEnv
  readonly cwd: string
}

/** What is known about a command before it is loaded. */
export interface ManifestEntry {
  /** The words after `studio`. */
  command: string
  summary: string
  /** IDs of its operations; empty for a standalone command. */
  operations: string[]
}

/** The file with the fields of the input that were not typed. */
export interface InputFile {
  name: string
  typed: ReadonlySet<string>
}

/** The flags that every command takes. */
export interface GlobalFlags {
  json: boolean
  fields: string[] | null
  quiet: boolean
  noInput: boolean
  noColor: boolean
  yes: boolean
  tenant: string | null
}

export interface Invocation {
  flags: GlobalFlags
  /** The file that gives a part of the input, so that an error names its fields instead of flags. */
  inputFile?: InputFile | null
  terminal: Terminal
  signal: AbortSignal
  session: Session
  /** Runs another command line. */
  runCommand(argv: readonly string[], terminal: Terminal, signal: AbortSignal): Promise<number>
  loadManifest(): Promise<ManifestEntry[]>
}

export const globalFlagHelp: readonly (readonly [string, string])[] = [
  ['--json', 'Print the result as JSON, as the HTTP API returns it'],
  ['--fields <names>', 'With --json, print only these fields, separated by commas'],
  ['--tenant <name>', 'Tenant whose docks to use (default: STUDIO_TENANT, else "default")'],
  ['--quiet', 'Print no notices and no progress'],
  ['--yes', 'Answer yes to every confirmation'],
  ['--no-input', 'Never prompt'],
  ['--no-color', 'Disable colors'],
  ['-h, --help', 'Show help for a command'],
]

type Switch = 'json' | 'quiet' | 'noInput' | 'noColor' | 'yes'

const switches = new Map<string, Switch>([
  ['--json', 'json'],
  ['--quiet', 'quiet'],
  ['--no-input', 'noInput'],
  ['--no-color', 'noColor'],
  ['--yes', 'yes'],
  ['-y', 'yes'],
])

/** Separates the global flags, wherever they are before `--`, from the command and its own flags. */
export function takeGlobalFlags(argv: readonly string[]): { flags: GlobalFlags; rest: string[] } {
  const flags: GlobalFlags = {
    json: false,
    fields: null,
    quiet: false,
    noInput: false,
    noColor: false,
    yes: false,
    tenant: null,
  }
  const rest: string[] = []
  for (let i = 0; i < argv.length; i++) {
    const token = argv[i]!
    if (token === '--') return { flags, rest: [...rest, ...argv.slice(i)] }
    const [name, inline] = splitInline(token)
    const known = inline === null ? switches.get(name) : undefined
    if (known) flags[known] = true
    else if (name === '--fields') flags.fields = listOf(inline ?? valueAfter(argv, i++, name), name)
    else if (name === '--tenant') flags.tenant = inline ?? valueAfter(argv, i++, name)
    else rest.push(token)
  }
  return { flags, rest }
}

function splitInline(token: string): [string, string | null] {
  const equals = token.indexOf('=')
  return token.startsWith('--') && equals > 0 ? [token.slice(0, equals), token.slice(equals + 1)] : [token, null]
}

function valueAfter(argv: readonly string[], at: number, name: string): string {
  const value = argv[at + 1]
  if (value === undefined || value.startsWith('--')) throw new StudioError('invalid', `${name} needs a value.`)
  return value
}

function listOf(text: string, name: string): string[] {
  const names = text
    .split(',')
    .map((field) => field.trim())
    .filter(Boolean)
  if (names.length === 0) throw new StudioError('invalid', `${name} needs at least one name.`)
  return names
}
