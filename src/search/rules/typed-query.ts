import { QUALIFIERS } from './filters'

const OPENS_WITH_QUALIFIER = new RegExp(`^(-?(?:${QUALIFIERS.join('|')}):)([^"\\s]*\\s[^"]*)$`, 'i')
const EXCLUDES_WORDS = /^-([^"\s]+\s[^"]*)$/

/**
 * The query that was typed on a command line, whose shell has taken the quotes away. An argument of several words is as many words, for
 * `search "dock door"` means what `search dock door` means; but those behind a qualifier or a dash belong together.
 */
export function typedQuery(args: readonly string[]): string {
  return args.map((arg) => arg.replace(OPENS_WITH_QUALIFIER, '$1"$2"').replace(EXCLUDES_WORDS, '-"$1"')).join(' ')
}
