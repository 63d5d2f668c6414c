import type { Entity } from './entity'
import { Postings } from './postings'
import { countTerms, type TermCounts } from './rules/count-terms'
import type { Vocabulary } from './rules/expand'
import { FIELDS, type Field, fieldShare, impactOf } from './rules/score'
import { stem } from './rules/stem'
import { isStopWord } from './rules/stop-words'
import type { Token } from './rules/tokenize'

/** The entities of an index and where their terms stand. A document is an entity's position in `entities`. */
export interface Corpus {
  entities: readonly Entity[]
  /** The terms of each title, each with a space behind it. */
  titleLines: readonly string[]
  everywhere: Postings
  titles: Postings
  vocabulary: Vocabulary
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
    counted.push(countTerms(textsOf(entity), termOf))
  }
  const average = averageLengths(counted)
  const [everywhere, titles] = [new Postings(), new Postings()]
  for (const [document, counts] of counted.entries()) {
    if (document % DOCUMENTS_AT_ONCE === 0) await pause()
    const impacts = impactsIn(counts, average)
    everywhere.add(document, impacts.everywhere)
    titles.add(document, impacts.title)
  }
  const forms = [...terms.keys()].filter((form) => !isStopWord(form))
  return {
    entities,
    titleLines: counted.map((counts) => counts.titleLine),
    everywhere,
    titles,
    vocabulary: { holds: (term) => everywhere.holds(term), forms: () => forms, writes: (form) => written.has(form) },
  }
}

const DOCUMENTS_AT_ONCE = 200

function textsOf({ title, tags, criteria, description }: Entity): Record<Field, string> {
  return { title, tags: tags.join(' ; '), criteria, description }
}

type Lengths = Record<Field, number>

/** At least 1, so that a field that is empty everywhere divides nothing by 0. */
function averageLengths(counted: readonly TermCounts[]): Lengths {
  const averages: Lengths = { title: 1, tags: 1, criteria: 1, description: 1 }
  for (const field of FIELDS) {
    const sum = counted.reduce((total, { lengths }) => total + lengths[field], 0)
    averages[field] = Math.max(1, sum / Math.max(1, counted.length))
  }
  return averages
}

type Impacts = ReadonlyMap<string, number>

function impactsIn({ terms, times, lengths }: TermCounts, average: Lengths): { everywhere: Impacts; title: Impacts } {
  const everywhere = new Map<string, number>()
  const title = new Map<string, number>()
  for (const [position, term] of terms.entries()) {
    let shares = 0
    for (const [column, field] of FIELDS.entries()) {
      const count = times[position * FIELDS.length + column]!
      if (count === 0) continue
      const share = fieldShare(field, count, lengths[field] / average[field])
      shares += share
      if (field === 'title') title.set(term, impactOf(share))
    }
    everywhere.set(term, impactOf(shares))
  }
  return { everywhere, title }
}
