import { QUALIFIER_NAMES } from './qualifier-names'

const QUALIFIER = `-?(?:${QUALIFIER_NAMES.join('|')}|is|in|no):`
const OPENS_WITH_QUALIFIER = new RegExp(`^(${QUALIFIER})([^"\\s]*\\s[^"]*)$`, 'i')
const HOLDS_QUALIFIER = new RegExp(`\\s${QUALIFIER}`, 'i')
const EXCLUDES_WORDS = /^-([^"\s]+\s[^"]*)$/

/**
 * The query that was typed on a command line, whose shell has taken the quotes away. One argument is the whole query, as it would be sent
 * over HTTP. Of several, one of several words is as many words, for `search "dock door" yard` means what `search dock door yard` does; but
 * those behind a qualifier or a dash belong together, unless there is another qualifier among them.
 */
export function joinQueryArguments(args: readonly string[]): string {
  return args.length === 1 ? args[0]! : args.map(quoteArgument).join(' ')
}

function quoteArgument(arg: string): string {
  if (HOLDS_QUALIFIER.test(arg)) return arg
  return arg.replace(OPENS_WITH_QUALIFIER, '$1"$2"').replace(EXCLUDES_WORDS, '-"$1"')
}
