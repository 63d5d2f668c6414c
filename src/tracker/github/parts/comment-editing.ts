import * as z from 'zod'
import { createCommentEditor } from '../../services/parts/comment-editor'
import { sendStep } from '../../services/requests/graphql-mutations'
import type { RepositoryClient } from '../repository-client'
import { COMMENT, findComment, mapComment, WireComment } from './comments'

const WireChanged = z.object({ issueComment: WireComment }).transform(({ issueComment }) => mapComment(issueComment))

export const createIssueCommentEditor = (graphql: RepositoryClient) =>
  createCommentEditor<WireComment>({
    limits: graphql.limits,
    itemName: 'Issue',
    async find(change, signal) {
      const wire = await findComment(change, signal, graphql)
      return wire && { wire, comment: mapComment(wire), isMine: wire.viewerDidAuthor, authorName: wire.author?.login }
    },
    edit({ id }, { text: body }, signal) {
      const step = { name: 'updateIssueComment', input: { id, body }, select: () => `issueComment { ${COMMENT} }` }
      return sendStep(step, WireChanged, graphql, signal)
    },
    delete: ({ id }, _, signal) =>
      sendStep({ name: 'deleteIssueComment', input: { id } }, z.unknown(), graphql, signal),
  })
