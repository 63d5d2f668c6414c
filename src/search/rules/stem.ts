import type { Token } from './tokenize'

/**
 * The stem of an English word, by the Porter2 algorithm (Snowball 3: https://snowballstem.org/algorithms/english/stemmer.html).
 * @param word In lower case; can contain apostrophes. A word that is not English is returned unchanged.
 */
export function stem(word: string): string {
  if (word.length < 3 || !/^[a-z']+$/.test(word)) return word
  const known = exceptions.get(word)
  if (known !== undefined) return known
  let stemmed = markConsonantY(word.replace(/^'/, ''))
  const regions = regionsOf(stemmed)
  stemmed = dropPlural(stemmed.replace(/('s)?'$|'s$/, ''))
  stemmed = dropPastAndGerund(stemmed, regions)
  stemmed = stemmed.replace(/(?<=.[^aeiouy])[yY]$/, 'i')
  stemmed = replaceSuffix(stemmed, step2, regions)
  stemmed = replaceSuffix(stemmed, step3, regions)
  stemmed = replaceSuffix(stemmed, step4, regions)
  stemmed = dropFinalLetter(stemmed, regions)
  return stemmed.toLowerCase()
}

const exceptions = new Map([
  ['skis', 'ski'],
  ['skies', 'sky'],
  ['idly', 'idl'],
  ['gently', 'gentl'],
  ['ugly', 'ugli'],
  ['early', 'earli'],
  ['only', 'onli'],
  ['singly', 'singl'],
  ...['sky', 'news', 'howe', 'atlas', 'cosmos', 'bias', 'andes'].map((word) => [word, word] as const),
])

/** A `y` that is a consonant is written `Y` until the last step: as the first letter, or after a vowel. */
function markConsonantY(word: string): string {
  let marked = ''
  for (const letter of word) {
    marked += letter === 'y' && (marked === '' || /[aeiouy]$/.test(marked)) ? 'Y' : letter
  }
  return marked
}

/** The first positions of region 1 and region 2. */
interface Regions {
  r1: number
  r2: number
}

const VOWEL_THEN_CONSONANT = /[aeiouy][^aeiouy]/g
const FIXED_REGION = /^(?:gener|commun|arsen|past|univers|later|emerg|organ|inter)/

function regionsOf(word: string): Regions {
  const r1 = FIXED_REGION.exec(word)?.[0].length ?? afterVowelAndConsonant(word, 0)
  return { r1, r2: afterVowelAndConsonant(word, r1) }
}

function afterVowelAndConsonant(word: string, from: number): number {
  VOWEL_THEN_CONSONANT.lastIndex = from
  return VOWEL_THEN_CONSONANT.test(word) ? VOWEL_THEN_CONSONANT.lastIndex : word.length
}

function endsInShortSyllable(word: string): boolean {
  return /[^aeiouy][aeiouy][^aeiouywxY]$|^[aeiouy][^aeiouy]$|past$/.test(word)
}

/** Step 1a. */
function dropPlural(word: string): string {
  if (word.endsWith('sses')) return word.slice(0, -2)
  if (/ie[ds]$/.test(word)) return word.slice(0, word.length > 4 ? -2 : -1)
  const isPlural = word.endsWith('s') && /[aeiouy]/.test(word.slice(0, -2)) && !/[us]s$/.test(word)
  return isPlural ? word.slice(0, -1) : word
}

/** Step 1b. */
function dropPastAndGerund(word: string, { r1 }: Regions): string {
  const eed = /eed(?:ly)?$/.exec(word)
  if (eed) return eed.index >= r1 && !/^(?:proc|exc|succ)eed/.test(word) ? word.slice(0, eed.index + 2) : word
  if (/^[^aeiouy]ying$/.test(word)) return `${word[0]}ie`
  if (/^(?:inn|out|cann|herr|earr|even)ing$/.test(word)) return word
  const suffix = /(?:ed|ing)(?:ly)?$/.exec(word)
  if (!suffix || !/[aeiouy]/.test(word.slice(0, suffix.index))) return word
  const rest = word.slice(0, suffix.index)
  if (/(?:at|bl|iz)$/.test(rest)) return `${rest}e`
  if (/(?:bb|dd|ff|gg|mm|nn|pp|rr|tt)$/.test(rest)) return /^[aeo]..$/.test(rest) ? rest : rest.slice(0, -1)
  return rest.length === r1 && endsInShortSyllable(rest) ? `${rest}e` : rest
}

/** The replacement of a suffix, its region, and the condition for the preceding letters. Only the longest matching suffix is considered. */
interface SuffixRule {
  suffix: string
  becomes: string
  region: keyof Regions
  after?: RegExp
}

const step2: SuffixRule[] = [
  ...becoming('ational ation ator', 'ate'),
  ...becoming('tional', 'tion'),
  ...becoming('enci', 'ence'),
  ...becoming('anci', 'ance'),
  ...becoming('abli', 'able'),
  ...becoming('entli', 'ent'),
  ...becoming('ization izer', 'ize'),
  ...becoming('aliti alism alli', 'al'),
  ...becoming('fulness fulli', 'ful'),
  ...becoming('ousness ousli', 'ous'),
  ...becoming('iveness iviti', 'ive'),
  ...becoming('biliti bli', 'ble'),
  ...becoming('ogist', 'og'),
  ...becoming('ogi', 'og', 'r1', /l$/),
  ...becoming('lessli', 'less'),
  ...becoming('li', '', 'r1', /[cdeghkmnrt]$/),
].sort(longestFirst)

const step3: SuffixRule[] = [
  ...becoming('ational', 'ate'),
  ...becoming('tional', 'tion'),
  ...becoming('alize', 'al'),
  ...becoming('icate iciti ical', 'ic'),
  ...becoming('ful ness', ''),
  ...becoming('ative', '', 'r2'),
].sort(longestFirst)

const step4: SuffixRule[] = [
  ...becoming('al ance ence er ic able ible ant ement ment ent ism ate iti ous ive ize', '', 'r2'),
  ...becoming('ion', '', 'r2', /[st]$/),
].sort(longestFirst)

function becoming(suffixes: string, becomes: string, region: keyof Regions = 'r1', after?: RegExp): SuffixRule[] {
  return suffixes.split(' ').map((suffix) => ({ suffix, becomes, region, after }))
}

function longestFirst(a: SuffixRule, b: SuffixRule): number {
  return b.suffix.length - a.suffix.length
}

function replaceSuffix(word: string, rules: readonly SuffixRule[], regions: Regions): string {
  const rule = rules.find(({ suffix }) => word.endsWith(suffix))
  if (!rule) return word
  const rest = word.slice(0, -rule.suffix.length)
  const applies = rest.length >= regions[rule.region] && (!rule.after || rule.after.test(rest))
  return applies ? rest + rule.becomes : word
}

/** Step 5. */
function dropFinalLetter(word: string, { r1, r2 }: Regions): string {
  const rest = word.slice(0, -1)
  if (word.endsWith('ll') && rest.length >= r2) return rest
  if (!word.endsWith('e')) return word
  return rest.length >= r2 || (rest.length >= r1 && !endsInShortSyllable(rest)) ? rest : word
}

/** The term that a token is counted as. */
export type TokenStemmer = (token: Token) => string

const MAX_CACHED_FORMS = 500_000

/** Stems words and caches the results, because texts repeat the same words. */
export function createTokenStemmer(): TokenStemmer {
  const terms = new Map<string, string>()
  return ({ form, kind }) => {
    if (kind === 'sign' || kind === 'pair') return form
    const known = terms.get(form)
    if (known !== undefined) return known
    const term = stem(form)
    if (terms.size >= MAX_CACHED_FORMS) terms.clear()
    terms.set(form, term)
    return term
  }
}
