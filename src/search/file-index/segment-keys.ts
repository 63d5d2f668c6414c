import type { EntityType } from '../services/search-index'

/**
 * What the table of a segment holds, told apart by the first character of its keys:
 *
 * | key | value |
 * |---|---|
 * | `t` term, `i` term | the documents that hold it anywhere; in their title |
 * | `f` form | whether some text writes it as one word |
 * | `l` terms of a title, each with a space behind it | the documents with this title |
 * | `#` id | the documents with this ID |
 * | `=` type `:` id | the document that this entity is, and the fingerprint of what it was made of |
 * | `s` `y` `p` `g` `a` `r` `o` and a value | the documents with this state, type, person, tag, area, iteration, priority |
 */
export const termKey = (term: string) => `t${term}`
export const titleTermKey = (term: string) => `i${term}`
export const formKey = (form: string) => `f${form}`
export const titleLineKey = (line: string) => `l${line}`
export const idKey = (id: number) => `#${id}`
export const entityKey = (type: EntityType, id: number) => `=${type}:${id}`
export const ENTITY_KEY_PREFIX = '='

/** What has several parts as one key. */
export const PART_SEPARATOR = '\u0000'
