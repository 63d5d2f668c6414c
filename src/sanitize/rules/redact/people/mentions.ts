import { type Finding, findAll, type Passage } from '../finding'

/** Matches the tracker's own form in Markdown and plain text: `@<guid>`, also with braces. */
const BY_ID = /@<\{?[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\}?>/dgi

/** Matches a mention as code hosts read it, also of a team: `@octocat`, `@octo-org/docks`. The mark of a mention is none. */
const LOGIN = /(?<![\w`/.@+-])@(?!someone(?![\w/-]))[a-z\d](?:-?[a-z\d]){0,38}(?:\/[\w-]{1,60})?(?![\w@/])/dgi

/** Longer names are not searched for. */
const MAX_WORDS = 6

/** The people whom a plain `@Name` can mean, and whose full names are replaced everywhere. */
export interface KnownPeople {
  /** Contains full names, account names and `first.last`, in lower case. */
  names: ReadonlySet<string>
  /** Contains given names with their original capitalization. */
  givenNames: ReadonlySet<string>
  fullNames: readonly FullName[]
}

/** A name of at least two words. */
interface FullName {
  /** The longest word of the name in lower case. The pattern is tried only if the text contains this word. */
  hint: string
  pattern: RegExp
}

const NO_PEOPLE: KnownPeople = { names: new Set(), givenNames: new Set(), fullNames: [] }
const indexed = new WeakMap<readonly string[], KnownPeople>()

/** Caches the index by the list itself, because one list serves every text of a work item. */
export function indexPeople(people: readonly string[] | undefined): KnownPeople {
  if (!people || people.length === 0) return NO_PEOPLE
  const before = indexed.get(people)
  if (before) return before
  const names = new Set<string>()
  const givenNames = new Set<string>()
  const written = new Set<string>()
  for (const person of people) {
    const name = person.normalize('NFC').trim().replace(/\s+/g, ' ')
    if (name.length < 2) continue
    // `Doe, Jane (Contractor) <CORP\jane>` may also be mentioned as Jane Doe.
    const bare = name.replace(/ ?[(<[].*/s, '')
    const turned = bare.replace(/^([^,]+), ([^,]+)$/, '$2 $1')
    for (const form of [name, bare, turned]) if (form.length > 1) names.add(form.toLowerCase())
    for (const handle of deriveHandles(name, turned)) names.add(handle)
    const listed = turned.replace(/^(\S+) (\S+)$/, '$2, $1')
    for (const form of [bare, turned, listed])
      for (const spelled of [form, form.normalize('NFD'), unaccented(form)]) written.add(spelled)
    const given = /^(\p{Lu}[\p{L}'’-]{2,}) \p{Lu}/u.exec(turned)?.[1]
    if (given) givenNames.add(given)
  }
  const result = { names, givenNames, fullNames: [...written].flatMap(fullName) }
  indexed.set(people, result)
  return result
}

/** Derives `jane.doe` from Jane Doe, and the user name from an account `jane.doe@…` or `CORP\\jane.doe`. */
function deriveHandles(name: string, turned: string): string[] {
  const own = /^([^\s@\\]{2,64})@\S+$/.exec(name)?.[1] ?? /^[^\s\\]+\\([^\s\\]{2,64})$/.exec(name)?.[1]
  const words = unaccented(turned).toLowerCase().split(' ')
  const parts = words.every((word) => /^[a-z'’-]+$/.test(word)) ? [words[0], words.at(-1)] : []
  const derived =
    words.length > 1 && parts.length === 2 ? ['.', '_', '-'].map((separator) => parts.join(separator)) : []
  return own ? [own.toLowerCase(), ...derived] : derived
}

function unaccented(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '')
}

/** Excludes account names and single words, because a single word may have another meaning. */
function fullName(name: string): FullName[] {
  const words = name.split(' ')
  if (words.length < 2 || words.length > MAX_WORDS || !words.every((word) => /^\p{L}[\p{L}\p{M}'’.-]*,?$/u.test(word)))
    return []
  const hint = words.reduce((longest, word) => (word.length > longest.length ? word : longest), '')
  const pattern = words.map((word) => word.replace(/[.]/g, '\\.')).join('\\s{1,3}')
  return [
    {
      hint: hint.toLowerCase(),
      pattern: new RegExp(`(?<![\\p{L}\\p{N}_@])${pattern}(?![\\p{L}\\p{M}\\p{N}_])`, 'dgiu'),
    },
  ]
}

/** Finds full names of known people in any case, also across a line end. */
function findNames(text: string, { fullNames }: KnownPeople): Finding[] {
  if (fullNames.length === 0) return []
  const lower = text.toLowerCase()
  return fullNames.flatMap(({ hint, pattern }) => (lower.includes(hint) ? findAll(text, pattern, 'mention') : []))
}

/**
 * Finds mentions by the tracker's id, by `@` and a known name, or by a known full name.
 * @param areLogins whether any name after an `@` is a mention, as on a code host
 */
export function findMentions({ text, isCode }: Passage, people: KnownPeople, areLogins = false): Finding[] {
  const findings = findNames(text, people)
  if (!text.includes('@')) return findings
  findings.push(...findAll(text, BY_ID, 'mention'))
  if (areLogins) findings.push(...findAll(text, LOGIN, 'mention').filter(({ start }) => !isCode(start)))
  if (people.names.size === 0) return findings
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
    if (isCode(at) || /[\w.]/.test(text[at - 1] ?? '')) continue
    const length = nameLength(text.slice(at + 1, at + 121), people)
    if (length > 0) findings.push({ start: at, end: at + 1 + length, kind: 'mention' })
  }
  return findings
}

/** Returns the length of the longest known name at the start of `text`, or 0 if there is none. */
function nameLength(text: string, { names, givenNames }: KnownPeople): number {
  const ends = [...text.matchAll(/[^\s,;:!?()[\]<>]+(?:,(?= ))?/g)].slice(0, MAX_WORDS)
  if (ends[0]?.index !== 0) return 0
  for (const word of ends.reverse()) {
    for (const end of [
      word.index + word[0].length,
      word.index + word[0].replace(/(?<![.,]|['’]s)(?:[.,]|['’]s)+$/, '').length,
    ]) {
      const name = text.slice(0, end).normalize('NFC')
      if (names.has(name.toLowerCase()) || givenNames.has(name)) return end
    }
  }
  return 0
}
