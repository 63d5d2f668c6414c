import { type Kysely, sql } from 'kysely'
import { type ReadTx, tables, type WriteTx } from '../../storage'
import type { ServerIndexTables } from '../migrations'
import type { FieldLengths } from '../rules/count-terms'
import { letterBits } from '../rules/edit-distance'

/** The index entry of an entity. */
export interface IndexEntry {
  key: number
  updatedAt: string | null
  lexemes: string[]
}

/** A form of a word in the vocabulary. */
export interface WordForm {
  form: string
  written: boolean
  term: string
}

/** Null if nothing has been indexed. */
export async function findAverages(tx: ReadTx): Promise<FieldLengths | null> {
  const row = await indexTables(tx)
    .selectFrom('search_average')
    .select(['title', 'tags', 'criteria', 'description'])
    .executeTakeFirst()
  return row ?? null
}

/** @param known whether existing averages are replaced, or kept because another process was faster. */
export async function saveAverages(tx: WriteTx, lengths: FieldLengths, known: 'replace' | 'keep'): Promise<void> {
  await indexTables(tx)
    .insertInto('search_average')
    .values({ id: 1, ...lengths })
    .onConflict((conflict) =>
      known === 'replace' ? conflict.column('id').doUpdateSet(lengths) : conflict.column('id').doNothing(),
    )
    .execute()
}

/** A `tsvector` can hold a megabyte. */
const MAX_PART_BYTES = 500_000

/** Inserts or replaces entries. Unchanged ones are not written. */
export async function upsertEntries(tx: WriteTx, entries: readonly IndexEntry[], at: string): Promise<void> {
  const rows = entries.flatMap((entry) =>
    partsOf(entry.lexemes).map((lexemes, part, { length }) => ({ ...entry, lexemes, part, parts: length })),
  )
  const column = (name: 'key' | 'part' | 'parts' | 'updatedAt') => rows.map((row) => row[name])
  const lexemes = rows.map((row) => row.lexemes.join(LEXEME_SEPARATOR))
  const { rows: put } = await sql<{ key: number; part: number; parts: number }>`
    insert into search_terms (key, part, parts, updated_at, indexed_at, terms)
    select key, part, parts, updated_at, ${at}, array_to_tsvector(string_to_array(lexemes, ${LEXEME_SEPARATOR}))
    from unnest(${column('key')}::bigint[], ${column('part')}::int[], ${column('parts')}::int[],
      ${column('updatedAt')}::text[], ${lexemes}::text[]) as entry (key, part, parts, updated_at, lexemes)
    on conflict (key, part) do update set
      parts = greatest(search_terms.parts, excluded.parts), updated_at = excluded.updated_at,
      indexed_at = excluded.indexed_at, terms = excluded.terms
    where search_terms.parts <> excluded.parts or search_terms.updated_at is distinct from excluded.updated_at
      or search_terms.terms <> excluded.terms
    returning key, part, parts`.execute(indexTables(tx))
  for (const { key, part, parts } of put) {
    const now = part > 0 || parts === 1 ? parts : rows.find((row) => row.key === key)!.parts
    if (now < parts) await removeParts(tx, key, now)
  }
}

/** Splits lexemes in order, so that those of a kind stay together. */
function partsOf(lexemes: readonly string[]): string[][] {
  const parts: string[][] = [[]]
  let bytes = 0
  for (const lexeme of lexemes) {
    bytes += Buffer.byteLength(lexeme)
    if (bytes > MAX_PART_BYTES) {
      parts.push([])
      bytes = Buffer.byteLength(lexeme)
    }
    parts.at(-1)!.push(lexeme)
  }
  return parts
}

/** No lexeme contains it. */
const LEXEME_SEPARATOR = '\n'

async function removeParts(tx: WriteTx, key: number, from: number): Promise<void> {
  await indexTables(tx).deleteFrom('search_terms').where('key', '=', key).where('part', '>=', from).execute()
}

export async function removeEntries(tx: WriteTx, keys: readonly number[]): Promise<void> {
  await sql`delete from search_terms where key = any(${keys}::bigint[])`.execute(indexTables(tx))
}

/** Inserts missing forms. Existing ones are not even locked. */
export async function insertForms(tx: WriteTx, forms: readonly WordForm[]): Promise<void> {
  await sql`
    insert into search_form (form, written, term, length, letters)
    select * from unnest(${forms.map(({ form }) => form)}::text[], ${forms.map(({ written }) => (written ? 1 : 0))}::int[],
      ${forms.map(({ term }) => term)}::text[], ${forms.map(({ form }) => form.length)}::int[],
      ${forms.map(({ form }) => letterBits(form) >>> 0)}::bigint[])
    on conflict (form, written) do nothing`.execute(indexTables(tx))
}

export function indexTables(tx: ReadTx): Kysely<ServerIndexTables> {
  return tables<ServerIndexTables>(tx)
}
