import { type Removal, type RemovalKind, type SanitizeContext, sanitizeLine, sanitizeText } from '../../sanitize'
import type { LongText, TrackerItem } from '../../tracker'
import type { Draft } from '../schemas'
import { findRemovalExcerpt } from './removal-excerpt'

/** What was taken out of which field of the draft. */
export interface FieldRemoval extends Removal {
  field: string
}

/** The words of the draft around the first mark of a kind in a field. */
export interface Excerpt {
  kind: RemovalKind
  field: string
  text: string
}

export type SanitizedDraft = Omit<Draft, 'id' | 'folderId' | 'createdAt' | 'updatedAt'>

/**
 * The draft that a work item becomes: its texts clean, its points, area, iteration and tags kept, and its state, dates,
 * people, relations and history left behind. `people` are the names to take out of the texts.
 */
export function createSanitizedCopy(
  item: TrackerItem,
  { titleSuffix, people }: { titleSuffix: string; people: readonly string[] },
): { draft: SanitizedDraft; removed: FieldRemoval[]; excerpts: Excerpt[] } {
  const context: SanitizeContext = { trackerHosts: [getHost(item.url)], people }
  const removed: FieldRemoval[] = []
  const excerpts: Excerpt[] = []
  const note = (field: string, removals: Removal[], clean: string) => {
    for (const { kind, count } of removals) {
      removed.push({ kind, field, count })
      const text = findRemovalExcerpt(kind, clean)
      if (text !== null) excerpts.push({ kind, field, text })
    }
  }
  const line = (field: string, text: string) => {
    const clean = sanitizeLine(text, context)
    note(field, clean.removed, clean.text)
    return clean.text
  }
  const long = (field: string, text: LongText | null) => {
    if (!text) return null
    const clean = sanitizeText(text, context)
    note(field, clean.removed, clean.markdown)
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
  if (item.assignedTo) note('assignedTo', [{ kind: 'assignee', count: 1 }], '')
  return { draft, removed, excerpts }
}

function getHost(url: string): string {
  return URL.canParse(url) ? new URL(url).host : ''
}
