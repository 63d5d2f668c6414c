import type { Entity } from './entity'
import type { Field } from './rules/score'

/** What is searched of an entity, by field. */
export function textsOf({ title, tags, criteria, description }: Entity): Record<Field, string> {
  return { title, tags: tags.join(' ; '), criteria, description }
}
