import type { ReadTx } from '../../storage'
import type { Entity } from '../entity'
import { hitOf, lookoutFor } from '../hit'
import { listFilterValues } from '../queries/filter-values'
import { findKeys, preferIndex, type RankedQuery, rankKeys } from '../queries/ranking'
import { inOrder } from '../rank'
import { expand, type Sought } from '../rules/expand'
import { distinctValues, type Qualifier } from '../rules/filters'
import type { ParsedQuery } from '../rules/parse-query'
import type { Sequence } from '../rules/sequence'
import { shownScore } from '../rules/settle-scores'
import { stem } from '../rules/stem'
import { tokenize } from '../rules/tokenize'
import type { Found, SearchIndex, SearchOptions } from '../search-index'
import { isOneTerm, sequenceTexts, standsIn } from '../sequence-test'
import { filterQueries } from './filter-lexemes'
import { keyOf, TYPES } from './key'
import { vocabularyFor } from './known-words'
import { holdingQuery, quoted, titleLineLexeme } from './lexemes'
import { lookupsFor } from './lookups'

/** Reads entities as they are in the state of the transaction, by their keys; those that are there. */
export type ReadEntities = (tx: ReadTx, keys: readonly number[]) => Promise<Map<number, Entity>>

/** The index that a server keeps: it finds and ranks, and what is to be shown is read from where the entities are. */
export class ServerIndex implements SearchIndex {
  readonly #read: <R>(work: (tx: ReadTx) => Promise<R>) => Promise<R>
  readonly #readEntities: ReadEntities

  constructor(read: <R>(work: (tx: ReadTx) => Promise<R>) => Promise<R>, readEntities: ReadEntities) {
    this.#read = read
    this.#readEntities = readEntities
  }

  search(query: ParsedQuery, { type, limit }: SearchOptions): Promise<Found> {
    return this.#read(async (tx) => {
      await preferIndex(tx)
      const sought = inOrder(expand(query, await vocabularyFor(tx, query)))
      const { words, phrases, filters, excluded, ids, inTitle } = query
      const takesAll = phrases.length > 0 || (words.length === 0 && filters.length + excluded.length > 0)
      if (sought.length === 0 && ids.length === 0 && !takesAll) return { total: 0, hits: [] }
      const unfinished = words.find((word) => word.unfinished)?.form ?? null
      const asked: RankedQuery = {
        sought,
        lookups: lookupsFor(sought, { unfinished, inTitle }),
        takesAll,
        meant: ids.flatMap((id) => TYPES.map((one) => keyOf({ type: one, id }))).filter(Number.isSafeInteger),
        ...conditionsOf(query),
        among: null,
        without: [],
        type: type === undefined ? null : TYPES.indexOf(type),
        titleIs: openingOf(query),
        titleBegins: beginningOf(query),
        limit,
      }
      const ranked = await rankKeys(tx, { ...asked, ...(await this.#sequenceKeys(tx, query, asked)) })
      const lookout = lookoutFor(query, { worth: worthOf(sought, ranked.weights) })
      const entities = await this.#readEntities(
        tx,
        ranked.best.map(({ key }) => key),
      )
      return {
        total: ranked.total,
        hits: ranked.best.flatMap(({ key, score }) => {
          const entity = entities.get(key)
          return entity ? [hitOf(entity, shownScore(score), lookout)] : []
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
      const every = phrases.flatMap((phrase) => holdingAll(phrase, inTitle))
      among = await this.#holding(tx, await findKeys(tx, { ...asked, every }), { sequences: phrases, inTitle })
    }
    const without: number[] = []
    for (const sequence of excluded.filter((one) => !isOneTerm(one))) {
      const found = asked.takesAll ? [] : [asked.lookups.map(({ query }) => query).join('|')]
      const every = [...holdingAll(sequence, inTitle), ...(asked.meant.length === 0 ? found : [])]
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
    { sequences, inTitle }: { sequences: readonly Sequence[]; inTitle: boolean },
  ): Promise<number[]> {
    const holding: number[] = []
    for (let start = 0; start < keys.length; start += TEXTS_AT_ONCE) {
      const entities = await this.#readEntities(tx, keys.slice(start, start + TEXTS_AT_ONCE))
      for (const [key, entity] of entities) {
        const texts = sequenceTexts(entity, inTitle).map(tokenize)
        if (sequences.every((sequence) => standsIn(texts, sequence))) holding.push(key)
      }
    }
    return holding
  }
}

const TEXTS_AT_ONCE = 500

function conditionsOf({ filters, excluded, inTitle }: ParsedQuery): Pick<RankedQuery, 'wanted' | 'banned'> {
  const { wanted, banned } = filterQueries(filters)
  const words = excluded.filter(isOneTerm).map(({ forms }) => holdingQuery(stem(forms[0]!), inTitle))
  return { wanted: wanted === null ? [] : [wanted], banned: [...(banned === null ? [] : [banned]), ...words] }
}

function holdingAll({ forms }: Sequence, inTitle: boolean): string[] {
  return [...new Set(forms.map(stem))].map((term) => holdingQuery(term, inTitle))
}

function openingOf({ opening }: ParsedQuery): string | null {
  if (opening.length === 0) return null
  return quoted(titleLineLexeme(opening.map((form) => `${stem(form)} `).join('')))
}

function beginningOf(query: ParsedQuery): string | null {
  const opening = openingOf(query)
  return opening === null ? null : `${opening}:*`
}

function worthOf(sought: readonly Sought[], weights: readonly number[]): Map<string, number> {
  const worth = new Map<string, number>()
  for (const [part, { terms }] of sought.entries()) {
    for (const [term, share] of terms) worth.set(term, Math.max(worth.get(term) ?? 0, weights[part]! * share))
  }
  return worth
}
