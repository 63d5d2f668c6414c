import type { AtlassianTexts } from '../../../rich-text/atlassian-texts'
import { parseResult } from '../../services/change-result'
import { createCommentEditor } from '../../services/parts/comment-editor'
import { TrackerError } from '../../services/requests/tracker-error'
import { isSameText } from '../../services/update-after-reading'
import type { CommentChange } from '../../tracker'
import { mapComment, WireComment } from '../comments'
import type { JiraClient } from '../jira-client'

/** The stored text of a comment, and what reads and writes such texts. */
interface StoredComment {
  body: unknown
  texts: AtlassianTexts
}

export function createIssueCommentEditor(client: JiraClient) {
  const pathOf = ({ itemId, commentId }: Pick<CommentChange, 'itemId' | 'commentId'>) =>
    `/issue/${itemId}/comment/${commentId}`
  const toBody = ({ body, texts }: StoredComment, text: string) =>
    text.trim() === '' ? texts.fromMarkdown('') : texts.edit(body, text).stored

  return createCommentEditor<StoredComment>({
    limits: client.limits,
    itemName: 'Issue',
    async find(change, signal) {
      const found = await client.get(pathOf(change), {}, WireComment, signal).catch(async (error: unknown) => {
        if (!(error instanceof TrackerError) || error.code !== 'not_found') throw error
        await client.confirmCredential(signal)
        return null
      })
      if (found === null) return null
      const [texts, account] = [await client.loadTexts(signal), await client.whoAmI(signal)]
      const isMine = account !== null && [found.author?.accountId, found.author?.name].includes(account)
      return { wire: { body: found.body, texts }, comment: mapComment(found, texts), isMine }
    },
    async edit(stored, change, signal) {
      const request = { method: 'PUT', path: pathOf(change), body: { body: toBody(stored, change.text) } } as const
      const sent = await client.change(request, signal)
      return parseResult(sent, (json) => mapComment(WireComment.parse(json), stored.texts))
    },
    isEdited: ({ text: { text } }, wanted, before) => isSameText(text, before.texts.toMarkdown(toBody(before, wanted))),
    delete: (_, change, signal) => client.change({ method: 'DELETE', path: pathOf(change) }, signal),
  })
}
