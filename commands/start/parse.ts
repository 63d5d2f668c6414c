import { type Command, CommanderError } from 'commander'
import { StudioError } from '../../src/kernel'
import { editDistance } from '../../src/kernel/text/nearest-text'
import { foldHelp, helpWidth } from './help'
import type { Invocation } from './invocation'

/** Parses `args` into the command. False if it printed help instead. */
export function parse(command: Command, args: readonly string[], invocation: Invocation): boolean {
  if (asksForHelp(args)) {
    const width = helpWidth(invocation.terminal)
    let help = ''
    command
      .configureHelp({ ...command.configureHelp(), helpWidth: width })
      .configureOutput({
        writeOut: (text) => {
          help += text
        },
      })
      .outputHelp()
    invocation.terminal.out(foldHelp(help, width))
    return false
  }
  try {
    command.parse(args as string[], { from: 'user' })
    return true
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    throw toUsageError(error, command)
  }
}

function asksForHelp(args: readonly string[]): boolean {
  const end = args.indexOf('--')
  return args.slice(0, end < 0 ? args.length : end).some((arg) => arg === '-h' || arg === '--help')
}

function toUsageError(error: CommanderError, command: Command): StudioError {
  const refused = error.code === 'commander.invalidArgument' ? toChoiceError(error, command) : null
  if (refused) return refused
  const [first = '', ...more] = error.message.replace(/^error: /, '').split('\n')
  const message = first.charAt(0).toUpperCase() + first.slice(1)
  const suggestion = more.join(' ').trim()
  return new StudioError('invalid', /[.!?]$/.test(message) ? message : `${message}.`, {
    hint: `${suggestion ? `${suggestion} ` : ''}See: studio ${command.name()} --help`,
    cause: error,
  })
}

/** The parser's message for an invalid value of a flag or an argument. */
const INVALID_VALUE =
  /^error: (?:option '(?:-\w, )?(--[\w-]+)(?![\w-])[^']*' argument|command-argument value) '(.*)' is invalid(?: for argument '(\S+)')?\./s

/** The error for a value that is not one of the choices. */
function toChoiceError({ message }: CommanderError, command: Command): StudioError | null {
  const [, flag, typed, argument] = INVALID_VALUE.exec(message) ?? []
  const taken = flag
    ? command.options.find((option) => option.long === flag)?.argChoices
    : command.registeredArguments.find((known) => known.name() === argument)?.argChoices
  if (typed === undefined || !taken) return null
  const choices = `${taken.slice(0, -1).join(', ')} or ${taken.at(-1)}`
  const meant = findNearest(typed, taken)
  const correction = flag ? `${flag} ${meant}` : `studio ${command.name()} ${meant}`
  return new StudioError('invalid', `${flag ?? `<${argument}>`} must be ${choices}, not "${typed}".`, {
    hint: meant === null ? `See: studio ${command.name()} --help` : `Did you mean: ${correction}`,
  })
}

/** Moves words such as `-draft` after `--`, so that they are read as words. Known flags stay flags. */
export function shieldDashWords(command: Command, args: readonly string[]): string[] {
  const flags: string[] = []
  const words: string[] = []
  for (let i = 0; i < args.length; i++) {
    const token = args[i]!
    if (token === '--') return [...flags, '--', ...words, ...args.slice(i + 1)]
    if (!token.startsWith('--') && !(token === '-h')) words.push(token)
    else {
      flags.push(token)
      const option = command.options.find((known) => known.long === token)
      if (option?.required && args[i + 1] !== undefined) flags.push(args[++i]!)
    }
  }
  return [...flags, '--', ...words]
}

/** The most similar name, if it differs by at most a third of its length. */
export function findNearest(typed: string, names: readonly string[]): string | null {
  let best: string | null = null
  let least = Math.floor(Math.max(typed.length, 3) / 3) + 1
  for (const name of names) {
    const distance = editDistance(typed, name, least)
    if (distance < least) [best, least] = [name, distance]
  }
  return best
}
