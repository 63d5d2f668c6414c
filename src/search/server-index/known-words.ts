import type { ReadTx } from '../../storage'
import { formsBeginning, formsNear, heldTerms, type KnownForm, writtenForms } from '../queries/vocabulary'
import { MOST_CORRECTED, type Vocabulary } from '../rules/expand'
import type { ParsedQuery, QueryWord } from '../rules/parse-query'
import { stem } from '../rules/stem'
import { isStopWord } from '../rules/stop-words'
import { nearestForms } from '../rules/typo'

/** As much of the vocabulary as it takes to expand this query. */
export async function vocabularyFor(tx: ReadTx, query: ParsedQuery): Promise<Vocabulary> {
  const held = await heldTerms(tx, [...new Set(query.words.map(({ form }) => stem(form)))])
  const forms = new Set<string>()
  const unknown: QueryWord[] = []
  for (const word of query.words) {
    const isHeld = held.has(stem(word.form))
    const longer = word.unfinished ? (await formsBeginning(tx, word.form)).filter(({ form }) => !isStopWord(form)) : []
    for (const { form } of isHeld ? longer : await stillHeld(tx, longer)) forms.add(form)
    if (!isHeld && !word.literal) unknown.push(word)
  }
  const near = new Set<string>()
  for (const word of unknown.slice(0, MOST_CORRECTED)) {
    if ([...forms].some((form) => form.startsWith(word.form))) continue
    const corrections = await nearestHeld(tx, word.form)
    for (const form of corrections) near.add(form)
    if (corrections.length > 0) continue
    for (const term of await heldTerms(tx, stemsOfParts(word.form))) held.add(term)
  }
  const written = await writtenForms(tx, joinedNeighbours(query.opening))
  return {
    holds: (term) => held.has(term),
    writes: (form) => written.has(form),
    forms: (beginning = '') => (beginning === '' ? near : [...forms].filter((form) => form.startsWith(beginning))),
  }
}

/** Of so many it is not asked whether texts hold them still: some will. */
const MOST_ASKED = 300

/** Those that some text holds now: what was deleted leaves its forms behind. */
async function stillHeld(tx: ReadTx, forms: readonly KnownForm[]): Promise<readonly KnownForm[]> {
  if (forms.length > MOST_ASKED) return forms
  const held = await heldTerms(tx, [...new Set(forms.map(({ term }) => term))])
  return forms.filter(({ term }) => held.has(term))
}

/** What `nearestForms` finds among the forms that texts hold. */
async function nearestHeld(tx: ReadTx, word: string): Promise<string[]> {
  const known = new Map((await formsNear(tx, word)).map(({ form, term }) => [form, { form, term }]))
  for (;;) {
    const nearest = nearestForms(
      word,
      [...known.keys()].filter((form) => !isStopWord(form)),
    ).forms
    const held = await stillHeld(
      tx,
      nearest.map((form) => known.get(form)!),
    )
    if (held.length === nearest.length) return nearest
    const kept = new Set(held.map(({ form }) => form))
    for (const form of nearest) if (!kept.has(form)) known.delete(form)
  }
}

function stemsOfParts(form: string): string[] {
  const parts = new Set<string>()
  for (let cut = 1; cut < form.length; cut++) {
    parts.add(stem(form.slice(0, cut)))
    parts.add(stem(form.slice(cut)))
  }
  return [...parts]
}

function joinedNeighbours(opening: readonly string[]): string[] {
  return opening.slice(1).map((second, i) => opening[i]! + second)
}
