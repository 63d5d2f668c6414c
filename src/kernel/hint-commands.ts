import type { AnyOperation } from './operation'

/** A command as a hint may name it, and which fields of its operation's input the words after it give. */
export interface NamedCommand {
  /** The words after `studio`: `item get`. */
  words: string
  /** Fields given by position; `itemIds...` takes all that remain. */
  args: readonly string[]
  /** The field that a flag gives, by the flag's name without dashes. */
  flags: Readonly<Record<string, string>>
  /** Where operations share a command: the flags that mean this one. */
  whenFlag: readonly string[]
}

/** A field and what a hint gives for it: a value, or what stands for one, as `<YYYY-MM-DD>`. */
export type GivenField = [field: string, value: string]

export function namedCommandOf({ cli, input }: AnyOperation): NamedCommand | null {
  if (!cli) return null
  const args = cli.args ?? []
  const byPosition = new Set(args.map((arg) => arg.replace('...', '')))
  const flags: Record<string, string> = {}
  for (const field of Object.keys(input.shape)) {
    const binding = cli.flags?.[field]
    if (binding === false || byPosition.has(field)) continue
    flags[binding?.name ?? field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)] = field
  }
  for (const { flag, standsFor } of cli.extraFlags ?? []) {
    if (standsFor) flags[flag.split(' ')[0]!.slice(2)] = standsFor[0]!
  }
  return { words: cli.command, args, flags, whenFlag: [cli.whenFlag ?? []].flat() }
}

/**
 * The hint for a caller who has no command line: where it names a command that is known, `say` puts that caller's own call in its place.
 * Errors name the command, since that is the one form that all of them have.
 */
export function rewordHint<Known extends { command: NamedCommand | null }>(
  hint: string,
  known: readonly Known[],
  say: (meant: Known, given: GivenField[]) => string,
): string {
  return hint.replace(/\bstudio ((?:"[^"]*"|[^;,()"])+)/g, (whole, text: string) => {
    const words = text.match(/"[^"]*"|\S+/g) ?? []
    const meant = commandMeant(words, known)
    if (!meant) return whole
    const { given, used, ending } = fieldsGiven(words, meant.command!)
    const rest = words.slice(used).join(' ')
    return `${say(meant, given)}${ending}${rest && ` ${rest}`}`
  })
}

function commandMeant<Known extends { command: NamedCommand | null }>(
  words: readonly string[],
  known: readonly Known[],
): Known | null {
  let best: Known | null = null
  for (const candidate of known) {
    if (candidate.command === null || !namesIt(words, candidate.command)) continue
    if (best === null || precedence(candidate.command) > precedence(best.command!)) best = candidate
  }
  return best
}

function namesIt(words: readonly string[], { words: name, whenFlag }: NamedCommand): boolean {
  const isNamed = name.split(' ').every((word, i) => bare(words[i]) === word)
  return isNamed && (whenFlag.length === 0 || whenFlag.some((flag) => words.includes(`--${flag}`)))
}

/** The longest name fits best, and of those that share one the one that a flag means. */
function precedence({ words, whenFlag }: NamedCommand): number {
  return words.split(' ').length * 2 + Number(whenFlag.length > 0)
}

/** Without the stop of the sentence that it ends. */
function bare(word: string | undefined): string | undefined {
  return word?.replace(/\.$/, '')
}

function fieldsGiven(words: readonly string[], { words: name, args, flags }: NamedCommand) {
  const given: GivenField[] = []
  let used = name.split(' ').length
  let nextArg = 0
  let ending = words[used - 1]!.endsWith('.') ? '.' : ''
  while (used < words.length && ending === '') {
    const word = words[used]!
    const flag = /^--(no-)?(.+)$/.exec(word)
    if (flag) {
      const field = flags[bare(flag[2])!]
      if (field === undefined) break
      const value = words[used + 1]
      const isSwitch = value === undefined || value.startsWith('--')
      given.push([field, isSwitch ? String(flag[1] === undefined) : unquoted(bare(value)!)])
      used += isSwitch ? 1 : 2
    } else {
      const arg = args[nextArg]
      if (arg === undefined) break
      given.push([arg.replace('...', ''), unquoted(bare(word)!)])
      if (!arg.endsWith('...')) nextArg++
      used++
    }
    if (words[used - 1]!.endsWith('.')) ending = '.'
  }
  return { given, used, ending }
}

function unquoted(word: string): string {
  return word.replace(/^"(.*)"$/, '$1')
}
