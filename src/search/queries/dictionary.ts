import { sql } from 'kysely'
import { type ReadTx, tables, type WriteTx } from '../../storage'
import { letterBits, maxEditsFor } from '../rules/edit-distance'
import type { Qualifier } from '../rules/filters'
import { buildTermQuery } from '../server-index/lexemes'
import { indexTables } from './entries'

/** The number of entities that contain each term, up to a limit. Terms without entities are missing. */
export async function countTermHolders(
  tx: ReadTx,
  terms: readonly string[],
  limit: number,
): Promise<Map<string, number>> {
  if (terms.length === 0) return new Map()
  const { rows } = await sql<{ term: string; holders: number }>`
    select sought.term, holding.holders
    from unnest(${terms}::text[], ${terms.map((term) => buildTermQuery(term, false))}::text[]) as sought (term, query)
      cross join lateral (
        select count(*) as holders
        from (select from search_terms where terms @@ sought.query::tsquery limit ${limit}) as first
      ) as holding
    where holding.holders > 0`.execute(indexTables(tx))
  return new Map(rows.map(({ term, holders }) => [term, holders]))
}

/** The terms that an entity contains. */
export async function findHeldTerms(tx: ReadTx, terms: readonly string[]): Promise<Set<string>> {
  return new Set((await countTermHolders(tx, terms, 1)).keys())
}

/** The forms that a text contains or has contained as one word. */
export async function findWrittenForms(tx: ReadTx, forms: readonly string[]): Promise<Set<string>> {
  if (forms.length === 0) return new Set()
  const rows = await indexTables(tx)
    .selectFrom('search_form')
    .select('form')
    .where('form', 'in', forms)
    .where('written', '=', 1)
    .execute()
  return new Set(rows.map(({ form }) => form))
}

/** A form and its term. */
export interface KnownForm {
  form: string
  term: string
}

/** The first longer forms with this beginning, in order. */
export async function findFormsWithPrefix(tx: ReadTx, beginning: string, limit: number): Promise<KnownForm[]> {
  return indexTables(tx)
    .selectFrom('search_form')
    .select(['form', 'term'])
    .distinct()
    .where('form', '>', beginning)
    .where('form', '<', `${beginning}\u{10ffff}`)
    .orderBy('form')
    .limit(limit)
    .execute()
}

/** The forms that may be within the allowed edits of the word, judged by their letters and lengths. */
export async function findSimilarForms(tx: ReadTx, word: string): Promise<KnownForm[]> {
  const edits = maxEditsFor(word)
  if (edits === 0) return []
  const { rows } = await sql<KnownForm>`
    select distinct form, term from search_form
      cross join lateral (select letters # ${letterBits(word) >>> 0}::bigint as bits) as differing
      cross join lateral (select bits - ((bits >> 1) & 1431655765) as pairs) as by_twos
      cross join lateral (select (pairs & 858993459) + ((pairs >> 2) & 858993459) as nibbles) as by_fours
      cross join lateral (select (nibbles + (nibbles >> 4)) & 252645135 as bytes) as by_eights
    where length between ${word.length - edits} and ${word.length + edits}
      and ((bytes * 16843009) >> 24) & 255 <= ${2 * edits}`.execute(indexTables(tx))
  return rows
}

/** A page of forms, in order. */
export async function listFormsAfter(tx: ReadTx, form: string, limit: number): Promise<KnownForm[]> {
  return indexTables(tx)
    .selectFrom('search_form')
    .select(['form', 'term'])
    .distinct()
    .where('form', '>', form)
    .orderBy('form')
    .limit(limit)
    .execute()
}

export async function removeForms(tx: WriteTx, forms: readonly string[]): Promise<void> {
  await sql`delete from search_form where form = any(${forms}::text[])`.execute(indexTables(tx))
}

/** The queries for the values of each qualifier, for suggestions. */
const VALUES: Record<Qualifier, string | null> = {
  state: "select distinct state as value from work_item union select 'open' union select 'done'",
  type: "select distinct type as value from work_item union select 'story' union select 'draft' union select 'folder'",
  assignee: 'select distinct assigned_name as value from work_item union select distinct assigned_to from draft',
  tag: 'select distinct jsonb_array_elements_text(tags::jsonb) as value from work_item',
  area: 'select distinct area_path as value from work_item union select distinct area_path from draft',
  iteration: 'select distinct iteration_path as value from work_item union select distinct iteration_path from draft',
  tracker:
    "select distinct split_part(reference, ':', 1) as value from work_item where reference like '%:%' union select 'default'",
  priority: 'select distinct priority::text as value from work_item',
  id: null,
}

export async function listFilterValues(tx: ReadTx, qualifier: Qualifier): Promise<string[]> {
  const statement = VALUES[qualifier]
  if (statement === null) return []
  const { rows } = await sql<{ value: string | null }>`${sql.raw(statement)}`.execute(tables(tx))
  return rows.flatMap(({ value }) => (value === null || value === '' ? [] : [value]))
}
