import type { Generated } from 'kysely'
import type { Migration } from '../storage'

/** The tables of the index on a server. An embedded database has none of them: its index is in files beside it. */
export interface ServerIndexTables {
  search_terms: SearchTermsTable
  search_form: SearchFormTable
  search_average: SearchAverageTable
  search_stale: SearchStaleTable
}

/** The lexemes of an entity: one row, unless they exceed the limit of a `tsvector`. */
interface SearchTermsTable {
  /** By `encodeEntityKey`. */
  key: number
  /** From 0. */
  part: number
  /** The number of parts, which may have been greater before. */
  parts: number
  updated_at: string | null
  indexed_at: string
  /** tsvector: see `lexemes.ts` */
  terms: string
}

/** The vocabulary: every form of a word that a text contains or has contained. */
interface SearchFormTable {
  form: string
  /** 1 if it is one word, 0 if it is joined from parts, as from `dock-door`. */
  written: number
  term: string
  /** In UTF-16 units. */
  length: number
  /** A bit for each letter, by `letterBits`. */
  letters: number
}

/** The average lengths of fields in words: one row, or none if nothing has been indexed. */
interface SearchAverageTable {
  id: number
  title: number
  tags: number
  criteria: number
  description: number
}

/** Changes by programs that do not update the index. */
interface SearchStaleTable {
  id: number
  key: number
  /** 1 for rows that the index did not see being written, such as the first folder. They are indexed without a notice. */
  initial: Generated<number>
}

/** The index follows the tables of items and drafts, which exist before it. What creates it is loaded for a new schema only. */
export const searchMigration: Migration = {
  name: '0004-search',
  async up(db, engine) {
    if (engine === 'sqlite') return
    await (await import('./create-server-index')).createServerIndex(db)
  },
}
