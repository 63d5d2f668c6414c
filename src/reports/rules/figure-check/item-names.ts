import type { Figures } from '../../schemas'

/** What is called by a name: an item whose title is known, or only an item. */
export type TitlesByName = ReadonlyMap<string, string | null>

/** The names of all items of the figures, such as `#101` and `gh:owner/repository#12`, with their titles. */
export function collectNames({
  features,
  blockers,
  recentlyCompleted,
  staleItems,
  unestimated,
  changes,
}: Figures): Map<string, string | null> {
  const titles = new Map<string, string | null>()
  for (const { risks } of features)
    for (const reference of risks.flatMap(({ references }) => references)) titles.set(reference, null)
  for (const { signal, evidence } of blockers) {
    const [, name, title] = (signal === 'predecessor' && /^waits for (\S+) (.*)$/s.exec(evidence)) || []
    if (name !== undefined) titles.set(name, title!)
  }
  const changed = changes ? [changes.completed, changes.started, changes.added] : []
  for (const { reference, title } of [
    features,
    blockers,
    recentlyCompleted,
    staleItems,
    unestimated,
    ...changed,
  ].flat())
    titles.set(reference, title)
  return titles
}

/** `#101`, `ABC-7`, `owner/repository#12`, and the last ones after the name of a tracker. */
const NAME =
  /(?<![\p{L}\p{N}/#-])(?:[a-z][a-z0-9-]{0,19}:)?(?:[\w.-]{1,100}\/[\w.-]{1,100}#\d+|[A-Z][A-Z0-9_]{0,99}-\d+|#?\d+)/gu

/**
 * Blanks each known name that is more than `#` and a number, because its digits are no figures, and each title that directly follows
 * its name, because it is a quotation. The positions of all other text stay the same.
 */
export function blankNames(text: string, titles: TitlesByName): string {
  let result = ''
  let at = 0
  for (const match of text.matchAll(NAME)) {
    const [name] = match
    if (!titles.has(name) || match.index < at) continue
    const end = match.index + name.length
    const title = titles.get(name) ?? null
    const start = end + /^[\s*_"'`“‘:,–—(-]{0,4}/.exec(text.slice(end, end + 4))![0].length
    result +=
      text.slice(at, match.index) + (name.startsWith('#') ? name : ' '.repeat(name.length)) + text.slice(end, start)
    at = start
    if (title === null || title === '' || !startsWithTitle(text.slice(start, start + title.length + 1), title)) continue
    result += ' '.repeat(title.length)
    at = start + title.length
  }
  return result + text.slice(at)
}

/** The title `5` is not quoted at the beginning of `55 points`. */
function startsWithTitle(text: string, title: string): boolean {
  return (
    text.slice(0, title.length).toLowerCase() === title.toLowerCase() &&
    !(/[\p{L}\p{N}]$/u.test(title) && /^[\p{L}\p{N}%]/u.test(text.slice(title.length)))
  )
}
