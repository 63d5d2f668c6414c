import * as z from 'zod'
import { equalsIgnoringCase } from '../../../kernel/text/text'
import type { CommentOutcome, NewComment, ReadComments, TrackerComment } from '../../item-changes'
import { addCommentOnce } from '../../services/add-comment-once'
import { sendOnce, toOutcome } from '../../services/change-result'
import { toInstant, WireInstant } from '../../services/instants'
import { TrackerError } from '../../services/requests/tracker-error'
import { isSameText } from '../../services/update-after-reading'
import type { CommentEditor, DeletionOutcome } from '../../tracker-parts'
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
type WireNote = z.output<typeof WireNote>

const NOTE = 'id author { username name } body createdAt updatedAt'

const WireNotes = z.object({
  currentUser: z.object({ username: z.string() }).nullish(),
  workItem: z
    .object({
      widgets: z
        .array(
          z.object({
            notes: z
              .object({
                count: z.int(),
                nodes: z.array(WireNote),
                pageInfo: z.object({ hasPreviousPage: z.boolean(), startCursor: z.string().nullish() }),
              })
              .optional(),
          }),
        )
        .nullish(),
    })
    .nullable(),
})

const NOTES = `query($id: WorkItemID!, $last: Int!, $before: String) {
  currentUser { username }
  workItem(id: $id) { widgets { ... on WorkItemWidgetNotes {
    notes(filter: ONLY_COMMENTS, last: $last, before: $before) { count nodes { ${NOTE} } pageInfo { hasPreviousPage startCursor } }
  } } }
}`

/** Reads the newest notes, the newest first, without those that GitLab itself writes. */
export async function readNotes(
  itemId: number,
  { limit, signal }: { limit: number; signal: AbortSignal },
  graphql: ProjectClient,
): Promise<{ total: number; user: string | null; wires: WireNote[] }> {
  const wires: WireNote[] = []
  for (let before: string | null = null; ; ) {
    const variables: Record<string, unknown> = {
      id: toWorkItemId(itemId),
      last: Math.min(limit - wires.length, PAGE_SIZE),
      before,
    }
    const answer = await graphql.query(() => ({ query: NOTES, variables }), WireNotes, signal)
    const { workItem, currentUser } = answer as z.output<typeof WireNotes>
    if (workItem === null) throw new TrackerError('not_found', graphql.describeMissing(itemId))
    const notes = workItem.widgets?.find((widget) => widget.notes)?.notes
    wires.push(...(notes?.nodes ?? []).reverse())
    const previous: string | null = notes?.pageInfo.startCursor ?? null
    const isLast = !notes?.pageInfo.hasPreviousPage || previous === null || previous === before
    if (wires.length >= limit || isLast) return { total: notes?.count ?? 0, user: currentUser?.username ?? null, wires }
    before = previous
  }
}

export async function listComments(
  itemId: number,
  options: { limit: number; signal: AbortSignal },
  graphql: ProjectClient,
): Promise<ReadComments> {
  const { total, wires } = await readNotes(itemId, options, graphql)
  return { total, comments: wires.map(mapNote) }
}

const WireAdded = z.object({ note: WireNote }).transform(({ note }) => mapNote(note))

export async function addComment(
  comment: NewComment,
  signal: AbortSignal,
  graphql: ProjectClient,
): Promise<CommentOutcome> {
  const input = { noteableId: toWorkItemId(comment.itemId), body: escapeQuickActions(comment.text) }
  const select = () => `note { ${NOTE} }`
  return addCommentOnce(comment, signal, {
    expected: unescapeQuickActions(comment.text),
    limits: graphql.limits,
    send: () => sendChange({ name: 'createNote', input, select }, WireAdded, graphql, signal),
    async list(options) {
      const { total, user, wires } = await readNotes(comment.itemId, options, graphql)
      return { total, comments: wires.filter((wire) => isOf(user, wire)).map(mapNote) }
    },
  })
}

const MINE_ALONE = 'Another person wrote this comment.'
const CHANGED = 'The comment has another text now.'

export function createCommentEditor(graphql: ProjectClient): CommentEditor {
  const find = async (itemId: number, commentId: number, signal: AbortSignal) => {
    const { wires, user } = await readNotes(itemId, { limit: Number.POSITIVE_INFINITY, signal }, graphql)
    return { user, wire: wires.find(({ id }) => parseGlobalId(id) === commentId) }
  }
  return {
    async edit({ itemId, commentId, was, text }, signal): Promise<CommentOutcome> {
      const { wire, user } = await find(itemId, commentId, signal)
      if (wire === undefined) return { status: 'rejected', code: 'not_found', message: 'The comment is gone.' }
      if (!isOf(user, wire)) return { status: 'rejected', code: 'tracker_forbidden', message: MINE_ALONE }
      if (!isSameText(unescapeQuickActions(wire.body), was)) return { status: 'rejected', message: CHANGED }
      const step = {
        name: 'updateNote',
        input: { id: wire.id, body: escapeQuickActions(text) },
        select: () => `note { ${NOTE} }`,
      }
      const look = async (verification: AbortSignal) => {
        const { wire: now } = await find(itemId, commentId, verification)
        return now && isSameText(unescapeQuickActions(now.body), unescapeQuickActions(text)) ? mapNote(now) : null
      }
      const sent = await sendOnce(sendChange(step, WireAdded, graphql, signal), look, {
        signal,
        limits: graphql.limits,
      })
      return sent.kind === 'done' ? { status: 'added', comment: sent.data } : toOutcome(sent)
    },
    async delete({ itemId, commentId, was }, signal): Promise<DeletionOutcome> {
      const { wire, user } = await find(itemId, commentId, signal)
      if (wire === undefined) return { status: 'deleted' }
      if (!isOf(user, wire)) return { status: 'rejected', code: 'tracker_forbidden', message: MINE_ALONE }
      if (!isSameText(unescapeQuickActions(wire.body), was)) return { status: 'rejected', message: CHANGED }
      const look = async (verification: AbortSignal) =>
        (await find(itemId, commentId, verification)).wire === undefined ? true : null
      const sending = sendChange({ name: 'destroyNote', input: { id: wire.id } }, z.unknown(), graphql, signal)
      const sent = await sendOnce(sending, look, { signal, limits: graphql.limits })
      return sent.kind === 'done' ? { status: 'deleted' } : toOutcome(sent)
    },
  }
}

const isOf = (user: string | null, { author }: WireNote) =>
  user !== null && equalsIgnoringCase(author?.username ?? '', user)

function mapNote(wire: WireNote): TrackerComment {
  return {
    id: parseGlobalId(wire.id) ?? 0,
    author: wire.author ? toPerson(wire.author) : null,
    createdAt: toInstant(wire.createdAt),
    changedAt: toInstant(wire.updatedAt),
    text: { format: 'markdown', text: unescapeQuickActions(wire.body) },
  }
}
