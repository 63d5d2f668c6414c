import type { NamedKind } from '../../src/names-from-files'
import { globalFlagHelp } from '../start/invocation'
import type { CommandSpec, FlagSpec, ValueSpec } from './spec'

export interface Candidate {
  value: string
  about: string
}

/** What can be inserted at the cursor: known words, or stored values that must be looked up. */
export type CompletionTarget =
  | { kind: 'words'; words: Candidate[] }
  /** `lead` is the part of the word before the value, such as `--folder=`. */
  | { kind: 'value'; value: 'file' | 'prompt' | NamedKind; filterByPrefix: string; lead: string; tenant: string | null }

const NO_COMPLETION: CompletionTarget = { kind: 'words', words: [] }

/** The values of global flags; other global flags are switches. */
const globalValues: Record<string, ValueSpec> = { '--tenant': 'tenant', '--fields': 'fields' }

const globalFlags: FlagSpec[] = globalFlagHelp.map(([flag, about]) => {
  const name = flag.replace(/^-\w, /, '').split(' ')[0]!
  return { name, about, ...(name in globalValues ? { value: globalValues[name]! } : {}) }
})

/** @param words those after `studio`, up to the cursor; the last one is being typed, and may be empty. */
export function findCompletionTarget(
  words: readonly string[],
  commands: readonly CommandSpec[],
  topics: readonly Candidate[],
): CompletionTarget {
  const typed = words.at(-1) ?? ''
  const seen = readWords(words.slice(0, -1), commands)
  const { command, spec, isPlain, pending } = seen
  // A flag that takes several values is also ended by the next flag.
  if (pending && !(pending.many && typed.startsWith('-')))
    return completeValue(pending.value ?? null, { typed, lead: '', seen })
  if (!isPlain && typed.startsWith('-')) return completeFlag(typed, seen)
  const next = seen.rest.length === 0 ? listNextWords(command, commands, topics) : []
  if (next.length > 0 || !spec) return { kind: 'words', words: beginning(next, typed) }
  const arg = spec.args[seen.rest.length] ?? (spec.args.at(-1)?.many ? spec.args.at(-1) : undefined)
  return completeValue(arg?.value ?? null, { typed, lead: '', seen })
}

interface ParsedWords {
  /** The words of the command so far, which may be incomplete. */
  command: string
  /** The command of these words. */
  spec: CommandSpec | undefined
  /** The words after the command. */
  rest: string[]
  given: Set<string>
  /** A flag whose value comes next. */
  pending: FlagSpec | null
  /** After `--` everything is a word. */
  isPlain: boolean
  tenant: string | null
}

function readWords(words: readonly string[], commands: readonly CommandSpec[]): ParsedWords {
  const seen: ParsedWords = {
    command: '',
    spec: undefined,
    rest: [],
    given: new Set(),
    pending: null,
    isPlain: false,
    tenant: null,
  }
  for (const word of words) {
    if (seen.pending && !(seen.pending.many && word.startsWith('-'))) {
      if (seen.pending.name === '--tenant') seen.tenant = word
      if (!seen.pending.many) seen.pending = null
    } else if (!seen.isPlain && word.startsWith('-') && word !== '-') readFlag(word, seen)
    else readWord(word, seen, commands)
  }
  return seen
}

function flagsOf({ spec }: ParsedWords): FlagSpec[] {
  return [...(spec?.flags ?? []), ...globalFlags]
}

function readFlag(word: string, seen: ParsedWords): void {
  seen.pending = null
  if (word === '--') {
    seen.isPlain = true
    return
  }
  const [name, value] = splitFlag(word)
  const flag = flagsOf(seen).find((known) => known.name === name)
  seen.given.add(name)
  if (name === '--tenant' && value !== null) seen.tenant = value
  if (flag?.value !== undefined && value === null) seen.pending = flag
}

function readWord(word: string, seen: ParsedWords, commands: readonly CommandSpec[]): void {
  const longer = seen.command === '' ? word : `${seen.command} ${word}`
  const isCommand = commands.some(({ command }) => command === longer || command.startsWith(`${longer} `))
  // `help` is followed by a command.
  if (seen.rest.length > 0 || !(isCommand || longer === 'help' || word === '')) {
    if (seen.command !== 'help') seen.rest.push(word)
    else seen.command = word
    return
  }
  seen.command = longer
  seen.spec = commands.find(({ command }) => command === longer)
}

function listNextWords(command: string, commands: readonly CommandSpec[], topics: readonly Candidate[]): Candidate[] {
  const isHelp = command === 'help'
  const before = command === '' || isHelp ? '' : `${command} `
  const found = new Map<string, string>()
  for (const { command: name, summary } of commands) {
    if (!name.startsWith(before) || name.length === before.length) continue
    const [word = '', ...more] = name.slice(before.length).split(' ')
    if (!found.has(word) || more.length === 0) found.set(word, more.length === 0 ? summary : '')
  }
  const words = [...found].map(([value, about]) => ({ value, about }))
  if (isHelp) return [...topics, ...words]
  return command === '' ? [...words, { value: 'help', about: 'Help for a command, or on a topic' }] : words
}

function completeFlag(typed: string, seen: ParsedWords): CompletionTarget {
  const [name, value] = splitFlag(typed)
  if (value !== null) {
    const flag = flagsOf(seen).find((known) => known.name === name)
    return completeValue(flag?.value ?? null, { typed: value, lead: `${name}=`, seen })
  }
  const open = flagsOf(seen).filter((flag) => !seen.given.has(flag.name) || flag.many)
  const whole = seen.command === '' ? [...open, { name: '--version', about: 'Print the version' }] : open
  const words = whole.map((flag) => ({ value: flag.name, about: flag.about }))
  return { kind: 'words', words: beginning(words, typed) }
}

function completeValue(
  value: ValueSpec,
  { typed, lead, seen }: { typed: string; lead: string; seen: ParsedWords },
): CompletionTarget {
  if (value === null) return NO_COMPLETION
  if (value === 'fields') {
    const before = typed.slice(0, typed.lastIndexOf(',') + 1)
    return completeValue(seen.spec?.fields ?? [], { typed: typed.slice(before.length), lead: lead + before, seen })
  }
  if (typeof value === 'string') return { kind: 'value', value, filterByPrefix: typed, lead, tenant: seen.tenant }
  const known = value.map((word) => ({ value: word, about: '' }))
  return { kind: 'words', words: beginning(known, typed).map((word) => ({ ...word, value: lead + word.value })) }
}

function beginning(words: readonly Candidate[], typed: string): Candidate[] {
  return words.filter(({ value }) => value.startsWith(typed))
}

/** Splits `--flag=value`; without `=` the value is null. */
function splitFlag(word: string): [name: string, value: string | null] {
  const at = word.indexOf('=')
  return word.startsWith('--') && at > 0 ? [word.slice(0, at), word.slice(at + 1)] : [word, null]
}
