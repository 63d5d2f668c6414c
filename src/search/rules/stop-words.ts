/** Common English words that carry no meaning for a search. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  `a about above after again against all also am an and any are aren't as at be because been before being below between both but by
  can can't cannot could couldn't did didn't do does doesn't doing don't down during each etc few for from further had hadn't has
  hasn't have haven't having he her here hers herself him himself his how however i if in into is isn't it it's its itself just me
  more most my myself no nor not of off on once only or other our ours ourselves out over own same she should shouldn't so some such
  than that that's the their theirs them themselves then there these they this those through to too under until up us very was wasn't
  we were weren't what when where which while who whom whose why will with won't would wouldn't you your yours yourself yourselves`
    .split(/\s+/)
    .map((word) => word.replace("'", '')),
)

/** @param word Normalized and without apostrophes, as in a token. */
export function isStopWord(word: string): boolean {
  return STOP_WORDS.has(word)
}
