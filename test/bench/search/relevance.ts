import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { printFigure } from '../figures'
import { fileIndexOver } from './file-index'
import { type Baseline, miniSearchOver, type Text } from './minisearch'

/** The results of an earlier measurement with public collections. */
export const REACHED: Record<string, number> = { cranfield: 0.383, cacm: 0.52, 'bugs-office': 0.415 }

/** Measures relevance: the mean nDCG@10 (Järvelin & Kekäläinen 2002) over the queries of each collection. */
export async function printRelevance(folder: string): Promise<void> {
  const gains: number[] = []
  for (const name of readdirSync(folder).filter((entry) => existsSync(join(folder, entry, 'qrels.tsv')))) {
    const collection = readCollection(join(folder, name))
    const index = await fileIndexOver(collection.texts)
    const own = await meanNdcg(collection, collection.queries, (query) => index.search(query, 10))
    printFigure({ name: `${name}: nDCG@10`, value: own, unit: '', decimals: 3, atLeast: REACHED[name] })
    const baseline = miniSearchOver(collection.texts)
    if (baseline) gains.push(await printGain(name, own, collection, baseline))
    if (collection.mistyped) {
      const same = new Set(collection.mistyped.map(({ id }) => id))
      const clean = collection.queries.filter(({ id }) => same.has(id))
      const loss =
        (await meanNdcg(collection, clean, (query) => index.search(query, 10))) -
        (await meanNdcg(collection, collection.mistyped, (query) => index.search(query, 10)))
      printFigure({ name: `${name}: lost by one typo a query`, value: loss, unit: '', decimals: 3, atMost: 0.02 })
    }
    index.remove()
  }
  if (gains.length === 0) console.log('  MiniSearch could not be had: see what npm install says on this machine')
  else {
    const mean = gains.reduce((sum, gain) => sum + gain, 0) / gains.length
    printFigure({ name: 'mean of nDCG@10 − MiniSearch', value: mean, unit: '', decimals: 3, atLeast: 0.03 })
  }
}

async function printGain(name: string, own: number, collection: Collection, baseline: Baseline): Promise<number> {
  const theirs = await meanNdcg(collection, collection.queries, (query) => baseline.search(query).slice(0, 10))
  const gain = own - theirs
  printFigure({
    name: `${name}: nDCG@10 − MiniSearch (stems, stop words, title 2)`,
    value: gain,
    unit: '',
    decimals: 3,
  })
  return gain
}

export interface Query {
  id: string
  text: string
}

export interface Collection {
  texts: Text[]
  queries: Query[]
  mistyped: Query[] | null
  /** The gain of each document, by query. */
  judged: Map<string, Map<number, number>>
}

export function readCollection(folder: string): Collection {
  const lines = <Line>(file: string) =>
    readFileSync(join(folder, file), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Line)
  const judged: Collection['judged'] = new Map()
  for (const line of readFileSync(join(folder, 'qrels.tsv'), 'utf8').trimEnd().split('\n')) {
    const [query, document, gain] = line.split('\t') as [string, string, string]
    if (Number(gain) <= 0) continue
    if (!judged.has(query)) judged.set(query, new Map())
    judged.get(query)!.set(Number(document), Number(gain))
  }
  const typos = 'queries-typo.jsonl'
  return {
    texts: lines<{ id: string; title: string; text: string }>('docs.jsonl').map((doc) => ({
      ...doc,
      id: Number(doc.id),
    })),
    queries: lines<Query>('queries.jsonl').filter(({ id }) => judged.has(id)),
    mistyped: existsSync(join(folder, typos)) ? lines<Query>(typos).filter(({ id }) => judged.has(id)) : null,
    judged,
  }
}

async function meanNdcg(
  { judged }: Collection,
  queries: readonly Query[],
  search: (query: string) => number[] | Promise<number[]>,
): Promise<number> {
  let sum = 0
  for (const { id, text } of queries) sum += ndcg(await search(asProse(text)), judged.get(id)!)
  return sum / queries.length
}

/** The queries have no syntax: quotation marks do not make a phrase. */
export function asProse(query: string): string {
  return query.replaceAll('"', ' ')
}

export function ndcg(found: readonly number[], gains: ReadonlyMap<number, number>): number {
  const discounted = (ranked: readonly number[]) =>
    ranked.slice(0, 10).reduce((sum, gain, i) => sum + gain / Math.log2(i + 2), 0)
  const ideal = discounted([...gains.values()].sort((a, b) => b - a))
  return discounted(found.map((document) => gains.get(document) ?? 0)) / ideal
}
