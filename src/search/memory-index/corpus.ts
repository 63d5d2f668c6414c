import { countTerms, type TermCounts } from '../rules/count-terms'
import type { TermDictionary } from '../rules/expand-query'
import { extractFieldTexts } from '../rules/field-texts'
import { stem } from '../rules/stem'
import { isStopWord } from '../rules/stop-words'
import { averageFieldLengths, computeImpacts } from '../rules/term-impacts'
import type { Token } from '../rules/tokenize'
import type { Entity } from '../services/entity'
import { Postings } from './postings'

/** The entities of an index and where their terms stand. A document is an entity's position in `entities`. */
export interface Corpus {
  entities: readonly Entity[]
  /** The terms of each title, each with a space behind it. */
  titleLines: readonly string[]
  everywhere: Postings
  titles: Postings
  vocabulary: TermDictionary
  /** How many different terms there are. */
  terms: number
}

/** @param pause is awaited every now and then, so that the process can do other things in between. */
export async function buildCorpus(entities: readonly Entity[], pause: () => Promise<void>): Promise<Corpus> {
  const terms = new Map<string, string>()
  const written = new Set<string>()
  const termOf = ({ form, kind }: Token) => {
    if (kind === 'sign' || kind === 'pair') return form
    if (kind === 'word') written.add(form)
    const known = terms.get(form)
    if (known !== undefined) return known
    const term = stem(form)
    terms.set(form, term)
    return term
  }
  const counted: TermCounts[] = []
  for (const [document, entity] of entities.entries()) {
    if (document % DOCUMENTS_AT_ONCE === 0) await pause()
    counted.push(countTerms(extractFieldTexts(entity), termOf))
  }
  const average = averageFieldLengths(counted)
  const [everywhere, titles] = [new Postings(), new Postings()]
  for (const [document, counts] of counted.entries()) {
    if (document % DOCUMENTS_AT_ONCE === 0) await pause()
    const impacts = computeImpacts(counts, average)
    everywhere.add(document, impacts.everywhere)
    titles.add(document, impacts.title)
  }
  const forms = [...terms.keys()].filter((form) => !isStopWord(form))
  return {
    entities,
    titleLines: counted.map((counts) => counts.titleLine),
    everywhere,
    titles,
    terms: new Set(terms.values()).size,
    vocabulary: {
      countDocuments: (term) => everywhere.count(term),
      forms: (beginning = '') => forms.filter((form) => form.startsWith(beginning)),
      hasWrittenForm: (form) => written.has(form),
    },
  }
}

const DOCUMENTS_AT_ONCE = 200
