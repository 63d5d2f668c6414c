import { sql } from 'kysely'
import type { ReadTx } from '../../storage'
import { IDF_FACTOR } from '../rules/bm25'
import { BOOSTS, MAX_GUESS_SHARE, ROUNDING_MARGIN } from '../rules/final-scores'
import { TYPE_COUNT } from '../services/entity'
import { indexTables } from './entries'

/** Makes the planner use the index: it knows neither the cost of reading a row's terms nor that the query is short. */
export async function forceIndexScan(tx: ReadTx): Promise<void> {
  await sql`select set_config(name, 'off', true) from pg_settings where name in ('jit', 'enable_seqscan')`.execute(
    indexTables(tx),
  )
}

/** One lookup in the index. */
export interface TermLookup {
  /** Position in `RankedQuery.sought`. */
  part: number
  /** tsquery */
  query: string
  /** The impact of the documents that it finds, from 0 to 1. */
  impact: number
}

export interface RankedQuery {
  sought: readonly { kind: 'exact' | 'guess' | 'completion'; count: number }[]
  lookups: readonly TermLookup[]
  /** Whether documents that no lookup finds count too. */
  takesAll: boolean
  /** Documents that the query names by ID. */
  meant: readonly number[]
  /** tsquery: conditions that documents must match, and must not match. */
  wanted: readonly string[]
  banned: readonly string[]
  /** Only these documents, and none of those. */
  among: readonly number[] | null
  without: readonly number[]
  /** The place of the type in `TYPES`. */
  type: number | null
  /** tsquery: titles that begin with the query. */
  titleBegins: string | null
  /** Null if the query has no words. */
  titleIs: string | null
  limit: number
}

interface RankedKeys {
  total: number
  /** The best first, with exact scores. */
  best: { key: number; score: number }[]
  /** By word of the query, the factor of its impacts. */
  weights: number[]
}

/** From this number on, the engine's estimate is used instead of counting for each query. */
const MIN_ESTIMATED_TOTAL = 20_000

/**
 * Scores all documents as `rankDocuments` and `computeFinalScores` do, in one statement. Sums are sums of integers, so that they do not
 * depend on the order of the rows.
 */
export async function rankKeys(tx: ReadTx, query: RankedQuery): Promise<RankedKeys> {
  const { sought, lookups, meant, wanted, banned, among, without, type, titleBegins, titleIs, takesAll, limit } = query
  const column = <Row, Value>(rows: readonly Row[], of: (row: Row) => Value) => rows.map(of)
  const found = takesAll
    ? sql`select terms.key, score, coalesce(exact, false) as exact
        from search_terms as terms left join scored using (key) where part = 0`
    : meant.length === 0
      ? sql`select key, score, exact from scored`
      : sql`select key, score, exact from scored
          union all select key, 0, false from search_terms
          where part = 0 and key = any(${meant}::bigint[]) and key not in (select key from scored)`
  const conditions = [
    sql`true`,
    ...(type === null ? [] : [sql`key % ${sql.lit(TYPE_COUNT)} = ${sql.lit(type)}`]),
    ...wanted.map((one) => sql`key in (select key from search_terms where terms @@ ${one}::tsquery)`),
    ...banned.map((one) => sql`key not in (select key from search_terms where terms @@ ${one}::tsquery)`),
    ...(among === null ? [] : [sql`key in (select unnest(${among}::bigint[]))`]),
    ...(without.length === 0 ? [] : [sql`key not in (select unnest(${without}::bigint[]))`]),
  ]
  const { rows } = await sql<{ total: number | null; best: [number, number][] | null; weights: number[] | null }>`
    with posting as materialized (
      select lookup.part, terms.key, max(lookup.impact) as impact
      from unnest(${column(lookups, (one) => one.part)}::int[], ${column(lookups, (one) => one.impact)}::float8[],
          ${column(lookups, (one) => one.query)}::text[]) as lookup (part, impact, query)
        join search_terms as terms on terms.terms @@ lookup.query::tsquery
      group by lookup.part, terms.key
    ), documents as (
      select case when reltuples >= ${sql.lit(MIN_ESTIMATED_TOTAL)} then reltuples::float8
        else (select count(*)::float8 from search_terms where part = 0) end as total
      from pg_class where oid = 'search_terms'::regclass
    ), holding as (
      select part, count(*)::float8 as holding from posting group by part
    ), weighted as materialized (
      select part, kind, count * ln(1 + (total - holding + 0.5) / (holding + 0.5)) * ${sql.lit(IDF_FACTOR)}::float8 as weight
      from (
        select sought.part, kind, count, greatest(total, coalesce(holding, 0)) as total, coalesce(holding, 0) as holding
        from unnest(${sought.map((_, part) => part)}::int[], ${column(sought, (one) => one.kind)}::text[],
            ${column(sought, (one) => one.count)}::float8[]) as sought (part, kind, count)
          cross join documents left join holding using (part)
      ) as counted
    ), scored as materialized (
      select key, bool_or(kind = 'exact') as exact, ${scoreOf(sought)}::float8 / 1e12 as score
      from posting join weighted using (part) group by key
    ), ceiling as (
      select 1 + coalesce(sum(weight) filter (where kind <> 'completion'), 0) as ceiling from weighted
    ), passing as materialized (
      select key, not exact and not meant as guess,
        coalesce(score, 0) + ceiling * case when meant then ${sql.lit(BOOSTS.matchesId)} when title_is then ${sql.lit(BOOSTS.isTitle)} when begins then ${sql.lit(BOOSTS.isTitlePrefix)} else 0 end as boosted
      from (select key, score, exact, key = any(${meant}::bigint[]) as meant, ${whereTitle(titleBegins)} as begins, ${whereTitle(titleIs)} as title_is
        from (${found}) as found where ${sql.join(conditions, sql` and `)}) as passed cross join ceiling
    ), scale as (
      select count(*) as total,
        case when max(boosted) filter (where guess) > 0
          then least(1, ${sql.lit(MAX_GUESS_SHARE)}::float8 * min(boosted) filter (where not guess) / max(boosted) filter (where guess))
          else 1 end as factor
      from passing
    ), settled as materialized (
      select key, boosted * case when guess then factor else 1 end as score from passing cross join scale
    ), cut as (
      select min(score) * ${sql.lit(ROUNDING_MARGIN)}::float8 as least from (select score from settled order by score desc limit ${limit}) as first
    ), shown as (
      select key, score, case when score = 0 then 0
        else round(score * power(10, 5 - floor(log(score)))) / power(10, 5 - floor(log(score))) end as shown
      from settled cross join cut where score >= least
    ), best as (
      select key, score, row_number() over (
        order by shown desc, coalesce(updated_at, '') desc, key % ${sql.lit(TYPE_COUNT)}, key desc) as place
      from shown join search_terms using (key) where part = 0 order by place limit ${limit}
    )
    select (select total from scale) as total,
      (select json_agg(json_build_array(key, score) order by place) from best) as best,
      (select json_agg(weight order by part) from weighted) as weights`.execute(indexTables(tx))
  const { total, best, weights } = rows[0]!
  return {
    total: total ?? 0,
    best: (best ?? []).map(([key, score]) => ({ key, score })),
    weights: weights ?? [],
  }
}

function whereTitle(query: string | null) {
  if (query === null) return sql`false`
  return sql`exact and key in (select key from search_terms where terms @@ ${query}::tsquery)`
}

/** The score of a document's words. Completions find what no other word has found; of several, only the first counts. */
function scoreOf(sought: RankedQuery['sought']) {
  const completions = sought.filter(({ kind }) => kind === 'completion').length
  const worth = sql`round(weight * impact * 1e12)::bigint`
  if (completions === 0) return sql`sum(${worth})`
  const completed =
    completions === 1
      ? sql`sum(${worth}) filter (where kind = 'completion')`
      : sql`(array_agg(${worth} order by part) filter (where kind = 'completion'))[1]`
  return sql`coalesce(sum(${worth}) filter (where kind <> 'completion'), ${completed})`
}

/** The documents that match all lookups, one of the others and the filters. */
export async function findKeys(
  tx: ReadTx,
  {
    every,
    some,
    wanted,
    banned,
    type,
  }: Pick<RankedQuery, 'wanted' | 'banned' | 'type'> & { every: readonly string[]; some: readonly string[] | null },
): Promise<number[]> {
  const conditions = [
    ...wanted.map((one) => sql`key in (select key from search_terms where terms @@ ${one}::tsquery)`),
    ...(some === null
      ? []
      : [sql`key in (select key from unnest(${some}::text[]) as one join search_terms on terms @@ one::tsquery)`]),
    ...banned.map((one) => sql`key not in (select key from search_terms where terms @@ ${one}::tsquery)`),
    ...(type === null ? [] : [sql`key % ${sql.lit(TYPE_COUNT)} = ${sql.lit(type)}`]),
  ]
  // One condition per lookup would take the planner seconds.
  const { rows } = await sql<{ key: number }>`
    select key
    from unnest(${every}::text[]) with ordinality as sought (query, place)
      join search_terms as terms on terms.terms @@ sought.query::tsquery
    where ${sql.join([sql`true`, ...conditions], sql` and `)}
    group by key having count(distinct place) = ${every.length}
    order by key`.execute(indexTables(tx))
  return rows.map(({ key }) => key)
}
