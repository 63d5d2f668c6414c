import { StudioError } from '../../../kernel'

/** `["tone=formal"]` as `{tone: "formal"}`. Throws `invalid` for what has no equals sign. */
export function parseVariableFlags(typed: unknown): Record<string, string> {
  const pairs = (typed as string[]).map((text) => {
    const equals = text.indexOf('=')
    if (equals > 0) return [text.slice(0, equals).trim(), text.slice(equals + 1)] as const
    throw new StudioError('invalid', `--set must be name=value, not "${text}".`, {
      hint: 'See: studio draft refine --help',
    })
  })
  return Object.fromEntries(pairs)
}
