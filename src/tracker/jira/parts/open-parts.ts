import type { TrackerParts } from '../../tracker'
import type { jira } from '../description'
import type { WriteParts } from '../issue-reader'
import { createAttachmentReader, createAttachmentWriter } from './attachments'
import { createDeletion } from './delete-issue'
import { createIssueCommentEditor } from './edit-comment'
import { createQueryRunner } from './queries'
import { createTransitionReader } from './transitions'
import { createRemoteLinks } from './web-links'
import { createTimeTracking } from './worklogs'

type JiraParts = Pick<TrackerParts, (typeof jira.capabilities.parts)[number]>

/** What Jira can do besides what all trackers can. It has no recycle bin. */
export function openParts(parts: WriteParts): JiraParts {
  const { client } = parts
  const webLinks = createRemoteLinks(client)
  return {
    attachments: createAttachmentReader(client),
    uploads: createAttachmentWriter(client),
    transitions: createTransitionReader(parts),
    deletion: createDeletion(parts),
    commentEditing: createIssueCommentEditor(client),
    queries: createQueryRunner(parts),
    webLinks,
    webLinkEditing: webLinks,
    worklogs: createTimeTracking(client),
  }
}
