import * as z from 'zod'
import type { CommentOutcome, NewComment, ReadComments, TrackerComment } from '../../item-changes'
import { toInstant, WireInstant } from '../../services/instants'
import { addCommentOnce } from '../../services/parts/add-comment-once'
import { createCommentEditor, type FoundComment } from '../../services/parts/comment-editor'
import { createNewestPageShape, NEWEST_PAGE_INFO } from '../../services/requests/graphql-pages'
import { collect, readPages } from '../../services/requests/pages'
import { isSameText } from '../../services/update-after-reading'
import { parseGlobalId, toWorkItemId } from '../address'
import { toPerson } from '../map-item'
import type { ProjectClient } from '../project-client'
import { escapeQuickActions, unescapeQuickActions } from '../quick-actions'
import { sendChange } from '../send-steps'
import { WireUser } from '../wire-item'

const PAGE_SIZE = 100

const WireNote = z.object({
  id: z.string(),
  author: WireUser.nullish(),
  body: z.string(),
  createdAt: WireInstant,
  updatedAt: WireInstant,
})
const NOTE = 'id author { username name } body createdAt updatedAt'

const WireNotes = z.object({ notes: z.object({ count: z.int() }).and(createNewestPageShape(WireNote)).optional() })
const NOTES = `... on WorkItemWidgetNotes {
  notes(filter: ONLY_COMMENTS, last: $last, before: $before) { count nodes { ${NOTE} } ${NEWEST_PAGE_INFO} } }`

/** Reads the newest notes, the newest first, without those that GitLab itself writes. */
export async function readNotes(
  itemId: number,
  { limit, signal }: { limit: number; signal: AbortSignal },
  graphql: ProjectClient,
): Promise<{ total: number; notes: FoundComment<{ id: string }>[] }> {
  let total = 0
  const pages = readPages(async (before) => {
    const query = {
      select: NOTES,
      declarations: ', $last: Int!, $before: String',
      variables: { last: Math.min(limit, PAGE_SIZE), before },
    }
    const { widgets, isMine } = await graphql.queryWidgets(itemId, query, WireNotes, signal)
    const { count = 0, entries = [], next = null } = widgets.notes ?? {}
    total = count
    return { entries: entries.map((wire) => ({ wire, comment: mapNote(wire), isMine: isMine(wire.author) })), next }
  })
  return { notes: (await collect(pages, limit)).slice(0, limit), total }
}

export async function listComments(
  itemId: number,
  options: { limit: number; signal: AbortSignal },
  graphql: ProjectClient,
): Promise<ReadComments> {
  const { total, notes } = await readNotes(itemId, options, graphql)
  return { total, comments: notes.map(({ comment }) => comment) }
}

const ADDED = {
  select: () => `note { ${NOTE} }`,
  shape: z.object({ note: WireNote }).transform(({ note }) => mapNote(note)),
}

export async function addComment(
  comment: NewComment,
  signal: AbortSignal,
  graphql: ProjectClient,
): Promise<CommentOutcome> {
  const input = { noteableId: toWorkItemId(comment.itemId), body: escapeQuickActions(comment.text) }
  return addCommentOnce(comment, signal, {
    expected: unescapeQuickActions(comment.text),
    limits: graphql.limits,
    send: () => sendChange({ name: 'createNote', input, select: ADDED.select }, ADDED.shape, graphql, signal),
    async list(options) {
      const { total, notes } = await readNotes(comment.itemId, options, graphql)
      return { total, comments: notes.flatMap(({ comment, isMine }) => (isMine ? [comment] : [])) }
    },
  })
}

export const createNoteEditor = (graphql: ProjectClient) =>
  createCommentEditor<{ id: string }>({
    limits: graphql.limits,
    itemName: 'Work item',
    async find({ itemId, commentId }, signal) {
      const { notes } = await readNotes(itemId, { limit: Number.POSITIVE_INFINITY, signal }, graphql)
      return notes.find(({ comment }) => comment.id === commentId) ?? null
    },
    edit({ id }, { text }, signal) {
      const input = { id, body: escapeQuickActions(text) }
      return sendChange({ name: 'updateNote', input, select: ADDED.select }, ADDED.shape, graphql, signal)
    },
    isEdited: ({ text: { text } }, wanted) => isSameText(text, unescapeQuickActions(wanted)),
    delete: ({ id }, _, signal) => sendChange({ name: 'destroyNote', input: { id } }, z.unknown(), graphql, signal),
  })

function mapNote(wire: z.output<typeof WireNote>): TrackerComment {
  return {
    id: parseGlobalId(wire.id) ?? 0,
    author: wire.author ? toPerson(wire.author) : null,
    createdAt: toInstant(wire.createdAt),
    changedAt: toInstant(wire.updatedAt),
    text: { format: 'markdown', text: unescapeQuickActions(wire.body) },
  }
}
