import type { Repository, ResourceLink, StoredAttachment, StoredQuery } from '../state/state'
import { project } from './project'

/** A screen of a telephone with a door number, as PNG. */
const PHONE_PICTURE = [
  'iVBORw0KGgoAAAANSUhEUgAAAGAAAAA8CAMAAACuCk+GAAAAD1BMVEXo7vL///9aa3sui1ciKzMkHV3hAAAARUlEQVR42u3XuQ0A',
  'IAwEQb7+ayZH4omMg9kGJjlZcilK3ngIALgC9RggCGibAHGAFQGsCJAF6EsAAADwA3CuAR5xAECpm/8QEiWT12q3AAAAAElFTkSu',
  'QmCC',
].join('')

/** A trailer at a door, as PNG. */
const TRAILER_PICTURE = [
  'iVBORw0KGgoAAAANSUhEUgAAAGAAAAA8CAMAAACuCk+GAAAAD1BMVEXo7vL///+aqLRrcHQiKzOAUAtcAAAAeElEQVR42u2XQQ6A',
  'IAwEsfL/Nxs1RoGwAqmGw8xpD1smhF4IAQAyFgcaBWajGQECBAgQIECAAAECBAhmE3zwhYqOIBgTFDozO7vPrJsdHFP7XJZ1s+f8',
  'aywmWTdnusEfb3AvROP2hSFDkXWzZBXEStbNFCnwAMErG94uF74ZZySwAAAAAElFTkSuQmCC',
].join('')

const MESSAGE_LOG = `2026-11-16 07:42  DC1  door 14  sent      +1 555 010 0143
2026-11-16 07:44  DC1  door 09  sent      +1 555 010 0178
2026-11-16 07:51  DC1  door 11  refused   no mobile number in the booking
2026-11-16 08:03  DC1  door 14  sent      +1 555 010 0122
`

/** A file of an item of the sample backlog. Its texts show the pictures too. */
export interface FilePlan {
  name: keyof typeof files
  comment: string
}

const files = {
  'door-message.png': { id: '5c0e7d2a-8b41-4f6e-9d3c-2a7b1e5f8c04', content: PHONE_PICTURE },
  'trailer-front.png': { id: '91d4b6f0-3e27-4c8a-b5f1-6c0d9e2a7b15', content: TRAILER_PICTURE },
  'gate-messages.txt': {
    id: '5c1e2f80-3a4b-4d6c-9e7f-1a2b3c4d5e02',
    content: Buffer.from(MESSAGE_LOG).toString('base64'),
  },
}

const UPLOADED_AT = '2026-11-16T09:12:00.000Z'

export function createAttachments(): StoredAttachment[] {
  return Object.entries(files).map(([name, { id, content }]) => {
    const size = Buffer.from(content, 'base64').length
    return { id, name, chunks: [content], received: size, size, at: UPLOADED_AT, watermark: 0 }
  })
}

export function createFileLink({ name, comment }: FilePlan): ResourceLink {
  const { id, content } = files[name]
  const resourceSize = Buffer.from(content, 'base64').length
  const dates = { authorizedDate: UPLOADED_AT, resourceCreatedDate: UPLOADED_AT, resourceModifiedDate: UPLOADED_AT }
  return {
    rel: 'AttachedFile',
    url: `{tracker}/${project.id}/_apis/wit/attachments/${id}`,
    attributes: { ...dates, name, resourceSize, comment },
  }
}

export const repositories: Repository[] = [{ id: '9b1d7c35-62e4-4f0a-8d21-7f6e5d4c3b01', name: 'gate' }]

export function createPullRequestLink(number: number, authorizedDate: string): ResourceLink {
  return {
    rel: 'ArtifactLink',
    url: `vstfs:///Git/PullRequestId/${project.id}%2F${repositories[0]!.id}%2F${number}`,
    attributes: { authorizedDate, name: 'Pull Request' },
  }
}

export const queries: StoredQuery[] = [
  { id: 'a1f4c7d2-0b3e-4a68-9c15-2d7e8f901a01', name: 'My Queries', children: [] },
  {
    id: 'a1f4c7d2-0b3e-4a68-9c15-2d7e8f901a02',
    name: 'Shared Queries',
    children: [
      {
        id: 'a1f4c7d2-0b3e-4a68-9c15-2d7e8f901a03',
        name: 'Gate',
        children: [
          {
            id: 'a1f4c7d2-0b3e-4a68-9c15-2d7e8f901a04',
            name: 'Open bugs',
            wiql: "SELECT [System.Id], [System.Title] FROM WorkItems WHERE [System.TeamProject] = @project AND [System.WorkItemType] = 'Bug' AND [System.State] <> 'Closed' ORDER BY [Microsoft.VSTS.Common.Priority]",
          },
          {
            id: 'a1f4c7d2-0b3e-4a68-9c15-2d7e8f901a05',
            name: 'Check-in with its stories',
            wiql: "SELECT [System.Id] FROM WorkItemLinks WHERE [Source].[System.Id] = 101 AND [System.Links.LinkType] = 'System.LinkTypes.Hierarchy-Forward' MODE (Recursive)",
          },
        ],
      },
      {
        id: 'a1f4c7d2-0b3e-4a68-9c15-2d7e8f901a07',
        name: 'Active stories',
        wiql: "SELECT [System.Id], [System.Title] FROM WorkItems WHERE [System.TeamProject] = @project AND [System.WorkItemType] = 'User Story' AND [System.State] = 'Active' ORDER BY [System.ChangedDate] DESC",
      },
      {
        id: 'a1f4c7d2-0b3e-4a68-9c15-2d7e8f901a06',
        name: 'Sprint 24',
        wiql: "SELECT [System.Id] FROM WorkItems WHERE [System.TeamProject] = @project AND [System.IterationPath] = 'Harbor\\2026 Q4\\Sprint 24' AND [System.State] <> 'Closed' ORDER BY [System.ChangedDate] DESC",
      },
    ],
  },
]
