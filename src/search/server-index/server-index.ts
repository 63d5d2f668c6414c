import type { ReadTx } from '../../storage'
import { listFilterValues } from '../queries/dictionary'
import { findKeys, forceIndexScan, type RankedQuery, rankKeys, type TermLookup } from '../queries/ranking'
import { dequantizeImpact, IMPACT_STEPS } from '../rules/bm25'
import { type ExpandedTerm, expandQuery, orderCompletionsLast } from '../rules/expand-query'
import { distinctValues, type Qualifier } from '../rules/filters'
import { roundScore } from '../rules/final-scores'
import type { ParsedQuery } from '../rules/parse-query'
import type { Phrase } from '../rules/phrase'
import { SearchWork } from '../rules/search-work'
import { stem } from '../rules/stem'
import { type Entity, encodeEntityKey, TYPES } from '../services/entity'
import { isSingleTerm, PhraseFilter, phraseTextsOf } from '../services/phrase-filter'
import { selectHighlightTerms, toSearchHit } from '../services/search-hit'
import type { SearchHit, SearchIndex, SearchOptions, SearchResults } from '../services/search-index'
import {
  anyOf,
  buildFilterQueries,
  buildTermQuery,
  isStopTerm,
  prefixLexeme,
  quoted,
  termLexeme,
  titleLineLexeme,
} from './lexemes'
import { loadTermDictionary } from './load-term-dictionary'

/** Reads entities by key in the state of the transaction. Missing ones are skipped. */
type ReadEntities = (tx: ReadTx, keys: readonly number[]) => Promise<Map<number, Entity>>

/** Searches the index of a server, and reads the entities of the results from their tables. */
export class ServerIndex implements SearchIndex {
  readonly #read: <R>(work: (tx: ReadTx) => Promise<R>) => Promise<R>
  readonly #readEntities: ReadEntities

  constructor(read: <R>(work: (tx: ReadTx) => Promise<R>) => Promise<R>, readEntities: ReadEntities) {
    this.#read = read
    this.#readEntities = readEntities
  }

  search(
    query: ParsedQuery,
    { type, limit, withoutSnippets, work = new SearchWork() }: SearchOptions,
  ): Promise<SearchResults> {
    return this.#read(async (tx) => {
      await forceIndexScan(tx)
      const expandedTerms = orderCompletionsLast(await expandQuery(query, await loadTermDictionary(tx, query), work))
      const { words, phrases, filters, excluded, ids, inTitle } = query
      const takesAll = phrases.length > 0 || (words.length === 0 && filters.length + excluded.length > 0)
      if (expandedTerms.length === 0 && ids.length === 0 && !takesAll) return { total: 0, hits: [] }
      const unfinished = words.find((word) => word.unfinished)?.form ?? null
      const request: RankedQuery = {
        sought: expandedTerms,
        lookups: planLookups(expandedTerms, { unfinished, inTitle }),
        takesAll,
        meant: ids.flatMap((id) => TYPES.map((one) => encodeEntityKey({ type: one, id }))).filter(Number.isSafeInteger),
        ...buildConditions(query),
        among: null,
        without: [],
        type: type === undefined ? null : TYPES.indexOf(type),
        titleIs: buildTitleQuery(query),
        titleBegins: buildTitlePrefixQuery(query),
        limit,
      }
      const ranked = await rankKeys(tx, { ...request, ...(await this.#sequenceKeys(tx, query, { request, work })) })
      const highlightTerms = withoutSnippets
        ? null
        : selectHighlightTerms(query, computeTermWeights(expandedTerms, ranked.weights))
      const entities = await this.#readEntities(
        tx,
        ranked.best.map(({ key }) => key),
      )
      const hits: SearchHit[] = []
      for (const { key, score } of ranked.best) {
        const entity = entities.get(key)
        if (entity) hits.push(await toSearchHit({ entity, score: roundScore(score) }, highlightTerms, work))
      }
      return { total: ranked.total, hits }
    })
  }

  async knownValues(qualifier: Qualifier): Promise<string[]> {
    return this.#read(async (tx) => distinctValues(await listFilterValues(tx, qualifier)))
  }

  /**
   * Phrases are checked in the texts of the entities that contain all their words, and excluded phrases in the texts of those that contain
   * all the words of one. Each text is read once.
   */
  async #sequenceKeys(
    tx: ReadTx,
    { phrases, excluded, inTitle }: ParsedQuery,
    { request, work }: { request: RankedQuery; work: SearchWork },
  ): Promise<Pick<RankedQuery, 'among' | 'without'>> {
    const banned = excluded.filter((one) => !isSingleTerm(one))
    const filter = new PhraseFilter({ phrases, excluded: banned })
    if (phrases.length > 0) {
      const terms = listTerms(phrases)
      const keys = await findKeys(tx, { ...request, every: buildTermQueries(terms, inTitle), some: null })
      const { passing } = await this.#apply(tx, filter, { keys, inTitle, work })
      return { among: passing, without: [] }
    }
    const suspects = new Set<number>()
    const some = request.takesAll || request.meant.length > 0 ? null : request.lookups.map(({ query }) => query)
    for (const sequence of banned) {
      const every = buildTermQueries(listTerms([sequence]), inTitle)
      for (const key of await findKeys(tx, { ...request, every, some })) suspects.add(key)
    }
    const { failing } = await this.#apply(tx, filter, { keys: [...suspects], inTitle, work })
    return { among: null, without: failing }
  }

  async #apply(
    tx: ReadTx,
    filter: PhraseFilter,
    { keys, inTitle, work }: { keys: readonly number[]; inTitle: boolean; work: SearchWork },
  ): Promise<{ passing: number[]; failing: number[] }> {
    const [passing, failing]: [number[], number[]] = [[], []]
    for (let start = 0; start < keys.length; start += TEXT_BATCH_SIZE) {
      const entities = await this.#readEntities(tx, keys.slice(start, start + TEXT_BATCH_SIZE))
      for (const [key, entity] of entities) {
        const passes = await filter.passes(phraseTextsOf(entity, inTitle), work)
        if (passes) passing.push(key)
        else failing.push(key)
      }
    }
    return { passing, failing }
  }
}

/** Texts may be long, and a batch of them is in memory at a time. */
const TEXT_BATCH_SIZE = 50

function buildConditions({ filters, excluded, inTitle }: ParsedQuery): Pick<RankedQuery, 'wanted' | 'banned'> {
  const { wanted, banned } = buildFilterQueries(filters)
  const words = buildTermQueries(listTerms(excluded.filter(isSingleTerm)), inTitle)
  return {
    wanted: wanted === null ? [] : [wanted],
    banned: [...(banned === null ? [] : [banned]), ...(words.length === 0 ? [] : [words.join('|')])],
  }
}

function listTerms(sequences: readonly Phrase[]): string[] {
  return [...new Set(sequences.flatMap(({ forms }) => forms.map(stem)))]
}

function buildTermQueries(terms: readonly string[], inTitle: boolean): string[] {
  return terms.map((term) => buildTermQuery(term, inTitle))
}

function buildTitleQuery({ opening }: ParsedQuery): string | null {
  if (opening.length === 0) return null
  return quoted(titleLineLexeme(opening.map((form) => `${stem(form)} `).join('')))
}

function buildTitlePrefixQuery(query: ParsedQuery): string | null {
  const opening = buildTitleQuery(query)
  return opening === null ? null : `${opening}:*`
}

function computeTermWeights(expandedTerms: readonly ExpandedTerm[], weights: readonly number[]): Map<string, number> {
  const termWeights = new Map<string, number>()
  for (const [part, { terms }] of expandedTerms.entries()) {
    for (const [term, share] of terms)
      termWeights.set(term, Math.max(termWeights.get(term) ?? 0, weights[part]! * share))
  }
  return termWeights
}

/** If there are more terms, those that begin with the unfinished word are looked up by prefix. */
const MAX_NAMED_TERMS = 64

/** The lookups for each step of impact and each weight of terms. */
function planLookups(
  expandedTerms: readonly ExpandedTerm[],
  { unfinished, inTitle }: { unfinished: string | null; inTitle: boolean },
): TermLookup[] {
  return expandedTerms.flatMap(({ terms }, part) => {
    const byWorth = new Map<number, string[]>()
    for (const [term, termWeights] of terms) byWorth.set(termWeights, [...(byWorth.get(termWeights) ?? []), term])
    return [...byWorth].flatMap(([termWeights, group]) => {
      const beginning = group.length > MAX_NAMED_TERMS ? unfinished : null
      const named = group.filter((term) => beginning === null || !term.startsWith(beginning) || isStopTerm(term))
      return Array.from({ length: IMPACT_STEPS }, (_, step) => {
        const lexemes = named.map((term) => termLexeme(term, step, inTitle))
        const others = beginning === null ? [] : [`${quoted(prefixLexeme(beginning, step, inTitle))}:*`]
        const query = [...(lexemes.length > 0 ? [anyOf(lexemes)] : []), ...others].join('|')
        return { part, query, impact: dequantizeImpact(step) * termWeights }
      })
    })
  })
}
