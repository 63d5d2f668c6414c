import { mapValues } from '../../kernel/json'
import {
  LINK_MARK,
  marks,
  type Removal,
  type RemovalKind,
  type SanitizeContext,
  sanitizeLine,
  sanitizeText,
} from '../../sanitize'
import type { LongText, TrackerItem } from '../../tracker'
import type { Draft } from '../schemas'

interface FieldRemoval extends Removal {
  field: string
}

interface Excerpt {
  kind: RemovalKind
  field: string
  text: string
}

/** What is copied of a work item. A cached one has it, too. */
export type CopiedItem = Pick<
  TrackerItem,
  | 'id'
  | 'rev'
  | 'title'
  | 'description'
  | 'acceptanceCriteria'
  | 'storyPoints'
  | 'assignedTo'
  | 'areaPath'
  | 'iterationPath'
  | 'tags'
  | 'url'
> &
  Partial<Pick<TrackerItem, 'attachments'>>

interface CopyOptions extends Pick<SanitizeContext, 'people' | 'also'> {
  titleSuffix: string
  /** The values of the chosen fields of the tracker, by display name. */
  fields: Draft['fields']
}

type SanitizedDraft = Omit<Draft, 'id' | 'sourceReference' | 'folderId' | 'createdAt' | 'updatedAt'>

/**
 * Makes a draft from a work item: sanitizes its texts, copies its points, area, iteration and tags, and omits its state, dates, people,
 * relations and history. Further fields of the tracker are copied only if the caller chose them, because they may be about customers. Files
 * stay with the item; `attachments` are their names.
 */
export function createSanitizedCopy(
  item: CopiedItem,
  { titleSuffix, fields, ...options }: CopyOptions,
): { draft: SanitizedDraft; removed: FieldRemoval[]; excerpts: Excerpt[]; attachments: string[] } {
  const context: SanitizeContext = {
    trackerHosts: [getHost(item.url)],
    areLogins: ISSUE_OF_CODE_HOST.test(item.url),
    ...options,
  }
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
    fields: mapValues(fields, (value, name) => (typeof value === 'string' ? line(name, value) : value)),
    sourceItemId: item.id,
    sourceRev: item.rev,
  }
  if (item.assignedTo) note('assignedTo', [{ kind: 'assignee', count: 1 }], '')
  // Their names may say as much as a title.
  const attachments = (item.attachments ?? []).map(({ name }) => sanitizeLine(name, context).text)
  return { draft, removed, excerpts, attachments }
}

/** Matches the address of an issue of GitHub. The copy of a cached item has no other sign of where it comes from. */
const ISSUE_OF_CODE_HOST = /^https?:\/\/[^/]+\/[\w.-]+\/[\w.-]+\/(?:issues|pull)\/\d+$/

function getHost(url: string): string {
  return URL.canParse(url) ? new URL(url).host : ''
}

/** Characters on each side of a mark. */
const CONTEXT_LENGTH = 30

const MARKS_BY_KIND: Partial<Record<RemovalKind, string>> = { ...marks, 'internal-link': LINK_MARK }

/**
 * The words around the first mark of a kind in a sanitized text, on one line; null if the kind leaves no mark. As part of the result,
 * the excerpt reveals nothing that the result does not.
 */
export function findRemovalExcerpt(kind: RemovalKind, sanitized: string): string | null {
  const mark = MARKS_BY_KIND[kind]
  const at = mark === undefined ? -1 : sanitized.indexOf(mark)
  if (mark === undefined || at < 0) return null
  const start = findWordStart(sanitized, Math.max(0, at - CONTEXT_LENGTH))
  const end = findWordEnd(sanitized, Math.min(sanitized.length, at + mark.length + CONTEXT_LENGTH))
  const words = sanitized.slice(start, end).replace(/\s+/g, ' ').trim()
  return `${start > 0 ? '… ' : ''}${words}${end < sanitized.length ? ' …' : ''}`
}

/** Does not split a word, unless it is a long one. */
function findWordStart(text: string, from: number): number {
  const blank = text.slice(Math.max(0, from - CONTEXT_LENGTH), from).search(/\s\S*$/)
  return from === 0 || blank < 0 ? from : Math.max(0, from - CONTEXT_LENGTH) + blank + 1
}

function findWordEnd(text: string, to: number): number {
  const blank = text.slice(to, to + CONTEXT_LENGTH).search(/\s/)
  return blank < 0 ? to : to + blank
}
