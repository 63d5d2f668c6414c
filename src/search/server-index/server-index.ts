import type { ReadTx } from '../../storage'
import { listFilterValues } from '../queries/dictionary'
import { findKeys, forceIndexScan, type RankedQuery, rankKeys, type TermLookup } from '../queries/ranking'
import { dequantizeImpact, IMPACT_STEPS } from '../rules/bm25'
import { type ExpandedTerm, expandQuery, orderCompletionsLast } from '../rules/expand-query'
import { distinctValues, type Qualifier } from '../rules/filters'
import { roundScore } from '../rules/final-scores'
import type { ParsedQuery } from '../rules/parse-query'
import type { Phrase } from '../rules/phrase'
import { stem } from '../rules/stem'
import { tokenize } from '../rules/tokenize'
import { type Entity, encodeEntityKey, TYPES } from '../services/entity'
import { containsPhrase, isSingleTerm, phraseTextsOf } from '../services/phrase-filter'
import { selectHighlightTerms, toSearchHit } from '../services/search-hit'
import type { SearchIndex, SearchOptions, SearchResults } from '../services/search-index'
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

/** Reads entities as they are in the state of the transaction, by their keys; those that are there. */
type ReadEntities = (tx: ReadTx, keys: readonly number[]) => Promise<Map<number, Entity>>

/** The index that a server keeps: it finds and ranks, and what is to be shown is read from where the entities are. */
export class ServerIndex implements SearchIndex {
  readonly #read: <R>(work: (tx: ReadTx) => Promise<R>) => Promise<R>
  readonly #readEntities: ReadEntities

  constructor(read: <R>(work: (tx: ReadTx) => Promise<R>) => Promise<R>, readEntities: ReadEntities) {
    this.#read = read
    this.#readEntities = readEntities
  }

  search(query: ParsedQuery, { type, limit }: SearchOptions): Promise<SearchResults> {
    return this.#read(async (tx) => {
      await forceIndexScan(tx)
      const sought = orderCompletionsLast(expandQuery(query, await loadTermDictionary(tx, query)))
      const { words, phrases, filters, excluded, ids, inTitle } = query
      const takesAll = phrases.length > 0 || (words.length === 0 && filters.length + excluded.length > 0)
      if (sought.length === 0 && ids.length === 0 && !takesAll) return { total: 0, hits: [] }
      const unfinished = words.find((word) => word.unfinished)?.form ?? null
      const asked: RankedQuery = {
        sought,
        lookups: planLookups(sought, { unfinished, inTitle }),
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
      const ranked = await rankKeys(tx, { ...asked, ...(await this.#sequenceKeys(tx, query, asked)) })
      const lookout = selectHighlightTerms(query, computeTermWeights(sought, ranked.weights))
      const entities = await this.#readEntities(
        tx,
        ranked.best.map(({ key }) => key),
      )
      return {
        total: ranked.total,
        hits: ranked.best.flatMap(({ key, score }) => {
          const entity = entities.get(key)
          return entity ? [toSearchHit(entity, roundScore(score), lookout)] : []
        }),
      }
    })
  }

  async knownValues(qualifier: Qualifier): Promise<string[]> {
    return this.#read(async (tx) => distinctValues(await listFilterValues(tx, qualifier)))
  }

  /** Whether words follow each other is seen in the texts of what holds them all. */
  async #sequenceKeys(
    tx: ReadTx,
    { phrases, excluded, inTitle }: ParsedQuery,
    asked: RankedQuery,
  ): Promise<Pick<RankedQuery, 'among' | 'without'>> {
    let among: number[] | null = null
    if (phrases.length > 0) {
      const every = phrases.flatMap((phrase) => buildTermQueries(phrase, inTitle))
      among = await this.#holding(tx, await findKeys(tx, { ...asked, every }), { sequences: phrases, inTitle })
    }
    const without: number[] = []
    for (const sequence of excluded.filter((one) => !isSingleTerm(one))) {
      const found = asked.takesAll ? [] : [asked.lookups.map(({ query }) => query).join('|')]
      const every = [...buildTermQueries(sequence, inTitle), ...(asked.meant.length === 0 ? found : [])]
      const left = among && new Set(among)
      const suspects = (await findKeys(tx, { ...asked, every })).filter((key) => left === null || left.has(key))
      without.push(...(await this.#holding(tx, suspects, { sequences: [sequence], inTitle })))
    }
    return { among, without }
  }

  /** Those in whose texts all the sequences stand. */
  async #holding(
    tx: ReadTx,
    keys: readonly number[],
    { sequences, inTitle }: { sequences: readonly Phrase[]; inTitle: boolean },
  ): Promise<number[]> {
    const holding: number[] = []
    for (let start = 0; start < keys.length; start += TEXT_BATCH_SIZE) {
      const entities = await this.#readEntities(tx, keys.slice(start, start + TEXT_BATCH_SIZE))
      for (const [key, entity] of entities) {
        const texts = phraseTextsOf(entity, inTitle).map(tokenize)
        if (sequences.every((sequence) => containsPhrase(texts, sequence))) holding.push(key)
      }
    }
    return holding
  }
}

const TEXT_BATCH_SIZE = 500

function buildConditions({ filters, excluded, inTitle }: ParsedQuery): Pick<RankedQuery, 'wanted' | 'banned'> {
  const { wanted, banned } = buildFilterQueries(filters)
  const words = excluded.filter(isSingleTerm).map(({ forms }) => buildTermQuery(stem(forms[0]!), inTitle))
  return { wanted: wanted === null ? [] : [wanted], banned: [...(banned === null ? [] : [banned]), ...words] }
}

function buildTermQueries({ forms }: Phrase, inTitle: boolean): string[] {
  return [...new Set(forms.map(stem))].map((term) => buildTermQuery(term, inTitle))
}

function buildTitleQuery({ opening }: ParsedQuery): string | null {
  if (opening.length === 0) return null
  return quoted(titleLineLexeme(opening.map((form) => `${stem(form)} `).join('')))
}

function buildTitlePrefixQuery(query: ParsedQuery): string | null {
  const opening = buildTitleQuery(query)
  return opening === null ? null : `${opening}:*`
}

function computeTermWeights(sought: readonly ExpandedTerm[], weights: readonly number[]): Map<string, number> {
  const worth = new Map<string, number>()
  for (const [part, { terms }] of sought.entries()) {
    for (const [term, share] of terms) worth.set(term, Math.max(worth.get(term) ?? 0, weights[part]! * share))
  }
  return worth
}

/** Of more terms than these those that begin as the unfinished word does are looked up by that. */
const MAX_NAMED_TERMS = 64

/** Looks into the index: for each step of impact, and each worth that terms have. */
function planLookups(
  sought: readonly ExpandedTerm[],
  { unfinished, inTitle }: { unfinished: string | null; inTitle: boolean },
): TermLookup[] {
  return sought.flatMap(({ terms }, part) => {
    const byWorth = new Map<number, string[]>()
    for (const [term, worth] of terms) byWorth.set(worth, [...(byWorth.get(worth) ?? []), term])
    return [...byWorth].flatMap(([worth, group]) => {
      const beginning = group.length > MAX_NAMED_TERMS ? unfinished : null
      const named = group.filter((term) => beginning === null || !term.startsWith(beginning) || isStopTerm(term))
      return Array.from({ length: IMPACT_STEPS }, (_, step) => {
        const lexemes = named.map((term) => termLexeme(term, step, inTitle))
        const others = beginning === null ? [] : [`${quoted(prefixLexeme(beginning, step, inTitle))}:*`]
        const query = [...(lexemes.length > 0 ? [anyOf(lexemes)] : []), ...others].join('|')
        return { part, query, impact: dequantizeImpact(step) * worth }
      })
    })
  })
}
