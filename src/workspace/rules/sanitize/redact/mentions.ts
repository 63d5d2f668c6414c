import { type Finding, findAll, type Passage } from './finding'

/** The tracker's own form in Markdown and plain text: `@<guid>`, in braces too. */
const BY_ID = /@<\{?[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\}?>/dgi

/** Names longer than this many words are not looked for. */
const MOST_WORDS = 6

/** Whom a plain `@Name` may mean: full names and account names in lower case, and given names as they are written. */
export interface KnownPeople {
  names: ReadonlySet<string>
  givenNames: ReadonlySet<string>
}

const nobody: KnownPeople = { names: new Set(), givenNames: new Set() }
const known = new WeakMap<readonly string[], KnownPeople>()

/** Kept by the list itself, as one list serves every text of an item. */
export function knownPeople(people: readonly string[] | undefined): KnownPeople {
  if (!people || people.length === 0) return nobody
  const before = known.get(people)
  if (before) return before
  const names = new Set<string>()
  const givenNames = new Set<string>()
  for (const person of people) {
    const name = person.normalize('NFC').trim().replace(/\s+/g, ' ')
    if (name.length < 2) continue
    // `Doe, Jane (Contractor) <CORP\jane>` is also mentioned as Jane Doe.
    const bare = name.replace(/ ?[(<[].*/s, '')
    const turned = bare.replace(/^([^,]+), ([^,]+)$/, '$2 $1')
    for (const form of [name, bare, turned]) if (form.length > 1) names.add(form.toLowerCase())
    const given = /^(\p{Lu}[\p{L}'’-]{2,}) \p{Lu}/u.exec(turned)?.[1]
    if (given) givenNames.add(given)
  }
  const result = { names, givenNames }
  known.set(people, result)
  return result
}

/** Mentions of people by the tracker's id, or by `@` and a name that is known. */
export function findMentions({ text, isCode }: Passage, people: KnownPeople): Finding[] {
  if (!text.includes('@')) return []
  const findings = findAll(text, BY_ID, 'mention')
  if (people.names.size === 0) return findings
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
    if (isCode(at) || /[\w.]/.test(text[at - 1] ?? '')) continue
    const length = nameLength(text.slice(at + 1, at + 121), people)
    if (length > 0) findings.push({ start: at, end: at + 1 + length, kind: 'mention' })
  }
  return findings
}

/** How many characters at the start of `text` are a known name; the longest wins. 0 for none. */
function nameLength(text: string, { names, givenNames }: KnownPeople): number {
  const ends = [...text.matchAll(/[^\s,;:!?()[\]<>]+(?:,(?= ))?/g)].slice(0, MOST_WORDS)
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
