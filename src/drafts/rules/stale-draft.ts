import { type ErrorDetail, hint, StudioError, suggest } from '../../kernel'
import type { Draft, DraftContent } from '../schemas'
import { CONTENT_FIELDS, extractContent, listChangedFields } from './draft-content'

const MAX_EXCERPT_LENGTH = 60

/**
 * The refusal of a save that did not see a later one. Its details tell each field that somebody else changed, with what it
 * was and what it is now, so that the caller can put the two together; what was known may no longer be at hand (null).
 */
export function createStaleDraftError(now: Draft, seenAt: string, seen: DraftContent | null): StudioError {
  const current = extractContent(now)
  const fields = seen ? listChangedFields(seen, current) : CONTENT_FIELDS
  const details = fields.map((field): ErrorDetail => {
    const was = seen ? `, it was ${quoteValue(seen[field])}` : ''
    return {
      path: field,
      message: `is now ${quoteValue(current[field])}${was}`,
      was: seen?.[field] ?? null,
      now: current[field],
    }
  })
  const what = seen && fields.length > 0 ? ` (${fields.join(', ')})` : ''
  return new StudioError(
    'stale_revision',
    `Draft ${now.id} was changed at ${now.updatedAt}${what}, after ${seenAt}, when you last saw it. Nothing was saved.`,
    {
      hint: hint`Look at it, then save again with its new updatedAt: ${suggest('drafts.get', { id: now.id })}`,
      details: [{ path: 'updatedAt', message: `is now ${now.updatedAt}`, was: seenAt, now: now.updatedAt }, ...details],
    },
  )
}

function quoteValue(value: string | number | null): string {
  if (value === null || value === '') return 'empty'
  const line = String(value).replace(/\s+/g, ' ').trim()
  return line.length > MAX_EXCERPT_LENGTH
    ? `“${line.slice(0, MAX_EXCERPT_LENGTH)}…” (${String(value).length} characters)`
    : `“${line}”`
}
