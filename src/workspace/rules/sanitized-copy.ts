import type { LongText, TrackerItem } from '../../tracker'
import type { Draft } from '../schemas'
import { type Removal, type SanitizeContext, sanitizeLine, sanitizeText } from './sanitize'

/** What was taken out of which field of the draft. */
export interface FieldRemoval extends Removal {
  field: string
}

export type SanitizedDraft = Omit<Draft, 'id' | 'folderId' | 'createdAt' | 'updatedAt'>

/**
 * The draft that a work item becomes: its texts clean, its points, area, iteration and tags kept, and its state, dates,
 * people, relations and history left behind.
 */
export function sanitizedCopy(
  item: TrackerItem,
  titleSuffix: string,
): { draft: SanitizedDraft; removed: FieldRemoval[] } {
  const context: SanitizeContext = { trackerHosts: [hostOf(item.url)], people: peopleIn(item) }
  const removed: FieldRemoval[] = []
  const note = (field: string, removals: Removal[]) =>
    removed.push(...removals.map((removal) => ({ ...removal, field })))
  const line = (field: string, text: string) => {
    const clean = sanitizeLine(text, context)
    note(field, clean.removed)
    return clean.text
  }
  const long = (field: string, text: LongText | null) => {
    if (!text) return null
    const clean = sanitizeText(text, context)
    note(field, clean.removed)
    return clean.markdown
  }
  const title = line('title', item.title)
  const suffix = titleSuffix.trim()
  const draft: SanitizedDraft = {
    title: suffix ? `${title} - ${suffix}` : title,
    description: long('description', item.description),
    acceptanceCriteria: long('acceptanceCriteria', item.acceptanceCriteria),
    storyPoints: item.storyPoints,
    assignedTo: null,
    areaPath: item.areaPath,
    iterationPath: item.iterationPath,
    tags: item.tags.length > 0 ? line('tags', item.tags.join('; ')) : null,
    sourceItemId: item.id,
    sourceRev: item.rev,
  }
  if (item.assignedTo) note('assignedTo', [{ kind: 'assignee', count: 1 }])
  return { draft, removed }
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : ''
}

/** Everybody whom the item's own fields name. */
function peopleIn(item: TrackerItem): string[] {
  const people = Object.values(item.fields).flatMap((value) => {
    if (typeof value !== 'object' || value === null) return []
    const { displayName, uniqueName } = value as { displayName?: unknown; uniqueName?: unknown }
    return [displayName, uniqueName].filter((name): name is string => typeof name === 'string')
  })
  return [...new Set(people)]
}
