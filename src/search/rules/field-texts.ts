import type { Entity } from '../services/entity'
import type { Field } from './bm25'

/** What sanitizing leaves in the place of what it has removed: `[phone removed]`. No one looks for it. */
const REDACTION_MARKS = /\[[a-z-]{1,20}(?: [a-z-]{1,20})? removed\]/g

/** What is searched of an entity, by field. The name of the person it is assigned to counts as a tag does. */
export function extractFieldTexts({ title, tags, criteria, description, assignedTo }: Entity): Record<Field, string> {
  const people = assignedTo === null ? [] : [assignedTo.displayName]
  return {
    title: removeRedactionMarks(title),
    tags: [...tags, ...people].join(' ; '),
    criteria: removeRedactionMarks(criteria),
    description: removeRedactionMarks(removeRepeatedTitle(description, title)),
  }
}

function removeRedactionMarks(text: string): string {
  return text.includes(' removed]') ? text.replace(REDACTION_MARKS, ' ') : text
}

/** Where a title is nothing but the first words of the description, those words count once. */
function removeRepeatedTitle(description: string, title: string): string {
  const beginning = title.replace(/…$/, '')
  if (beginning === '' || !description.startsWith(beginning)) return description
  const rest = description.slice(beginning.length)
  return /^[\p{L}\p{N}]/u.test(rest) ? description : rest
}
