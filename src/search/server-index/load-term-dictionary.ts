import type { ReadTx } from '../../storage'
import {
  countTermHolders,
  findFormsWithPrefix,
  findHeldTerms,
  findSimilarForms,
  findWrittenForms,
  type KnownForm,
} from '../queries/dictionary'
import { findNearestForms, findOneEditForms } from '../rules/edit-distance'
import {
  beginningsOf,
  listNeighbours,
  MAX_COMPLETIONS,
  MAX_CORRECTED_WORDS,
  MIN_FREQUENT_DOCUMENTS,
  mayBeRareTypo,
  spellingsOf,
  type TermDictionary,
} from '../rules/expand-query'
import type { ParsedQuery, QueryWord } from '../rules/parse-query'
import { stem } from '../rules/stem'
import { isStopWord } from '../rules/stop-words'

/** Loads the part of the vocabulary that expanding the query requires. */
export async function loadTermDictionary(tx: ReadTx, query: ParsedQuery): Promise<TermDictionary> {
  const joined = listNeighbours(query.opening).map(({ first, second }) => first + second)
  const terms = [...new Set([...query.words.flatMap(spellingsOf), ...joined].map(stem))]
  const holders = await countTermHolders(tx, terms, MIN_FREQUENT_DOCUMENTS)
  const countHolders = (word: QueryWord) =>
    spellingsOf(word).reduce((sum, form) => sum + (holders.get(stem(form)) ?? 0), 0)
  const forms = new Set<string>()
  const unknown: QueryWord[] = []
  for (const word of query.words) {
    const isHeld = countHolders(word) > 0
    for (const beginning of beginningsOf(word)) {
      const longer = (await findFormsWithPrefix(tx, beginning, MAX_COMPLETIONS)).filter(({ form }) => !isStopWord(form))
      for (const { form } of isHeld ? longer : await filterHeldForms(tx, longer)) forms.add(form)
    }
    if (!isHeld && !word.literal) unknown.push(word)
  }
  const similarForms = new Map<string, readonly string[]>()
  const rare = query.words.filter((word) => mayBeRareTypo(word, countHolders(word)))
  for (const word of rare.slice(0, MAX_CORRECTED_WORDS)) {
    const similar = (await findSimilarForms(tx, word.form)).map(({ form }) => form)
    const near = findOneEditForms(word.form, similar).filter((form) => form[0] === word.form[0])
    const counts = await countTermHolders(tx, [...new Set(near.map(stem))], MIN_FREQUENT_DOCUMENTS)
    for (const [term, count] of counts) holders.set(term, count)
    similarForms.set(word.form, near)
  }
  for (const word of unknown.slice(0, MAX_CORRECTED_WORDS)) {
    if (beginningsOf(word).some((beginning) => [...forms].some((form) => form.startsWith(beginning)))) continue
    const corrections = await findNearestHeldForms(tx, word.form)
    similarForms.set(word.form, corrections)
    if (corrections.length > 0) continue
    for (const term of await findHeldTerms(tx, stemsOfParts(word.form))) if (!holders.has(term)) holders.set(term, 1)
  }
  const written = await findWrittenForms(tx, joined)
  return {
    countDocuments: (term) => holders.get(term) ?? 0,
    hasWrittenForm: (form) => written.has(form),
    forms: (beginning) => [...forms].filter((form) => form.startsWith(beginning)),
    similarForms: (word) => similarForms.get(word) ?? [],
  }
}

/** More forms are not checked: some of them will be in use. */
const MAX_CHECKED_FORMS = 300

/** The forms that a text contains. Deleted entities leave their forms in the vocabulary. */
async function filterHeldForms(tx: ReadTx, forms: readonly KnownForm[]): Promise<readonly KnownForm[]> {
  if (forms.length > MAX_CHECKED_FORMS) return forms
  const held = await findHeldTerms(tx, [...new Set(forms.map(({ term }) => term))])
  return forms.filter(({ term }) => held.has(term))
}

/** The nearest forms that a text contains. */
async function findNearestHeldForms(tx: ReadTx, word: string): Promise<string[]> {
  const known = new Map((await findSimilarForms(tx, word)).map(({ form, term }) => [form, { form, term }]))
  for (;;) {
    const nearest = findNearestForms(
      word,
      [...known.keys()].filter((form) => !isStopWord(form)),
    ).forms
    const held = await filterHeldForms(
      tx,
      nearest.map((form) => known.get(form)!),
    )
    if (held.length === nearest.length) return nearest
    const nearestForms = new Set(held.map(({ form }) => form))
    for (const form of nearest) if (!nearestForms.has(form)) known.delete(form)
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
