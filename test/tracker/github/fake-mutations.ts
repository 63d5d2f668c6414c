import { GraphQLError } from 'graphql'
import { notFound, unprocessable } from './errors'
import { createIssue, type FakeComment, type FakeIssue } from './fake-issue'

interface Input {
  [name: string]: any
}

interface FakeState {
  issues: Map<number, FakeIssue>
  /** The numbers of issues that were deleted. */
  deleted: Set<number>
  issueFields: { set(issue: FakeIssue, changes: readonly Record<string, any>[]): void }
  change(number: number, values: Partial<FakeIssue>): void
  /** The time of the next change. */
  tick(): string
  nodeOf(id: string): FakeIssue
  toIssue(issue: FakeIssue): Record<string, unknown>
  toComment(comment: FakeComment): Record<string, unknown>
  /** The account of the token, and whether it may delete issues. */
  viewer: string
  isAdmin: boolean
  repository(): object
}

/** The mutations of issues and of comments. */
export function createFakeMutations(state: FakeState) {
  const { issues, deleted, issueFields, change, tick, nodeOf, toIssue, toComment, viewer, isAdmin, repository } = state

  const applyInput = (issue: FakeIssue, { title, body, labelIds, assigneeIds, milestoneId }: Input) => {
    if (title !== undefined) issue.title = title
    if (body !== undefined) issue.body = body.replace(/\r?\n/g, '\r\n')
    if (labelIds !== undefined) issue.labels = labelIds.map((id: string) => id.slice(2))
    if (assigneeIds !== undefined) issue.assignees = assigneeIds.map((id: string) => id.slice(2))
    if (milestoneId !== undefined) issue.milestone = milestoneId === null ? null : milestoneId.slice(2)
    issue.updatedAt = tick()
  }
  const step =
    (apply: (input: Input) => FakeIssue) =>
    ({ input }: { input: Input }) => ({ issue: toIssue(apply(input)) })
  /** The comment with this ID, and those of its issue. */
  const commentOf = (id: string) => {
    for (const { comments } of issues.values()) {
      const comment = comments.find((one) => `IC_${one.id}` === id)
      if (comment) return { comments, comment }
    }
    throw notFound(`Could not resolve to a node with the global id of '${id}'.`)
  }

  function changeNode(id: string, values: Partial<FakeIssue>): FakeIssue {
    const issue = nodeOf(id)
    change(issue.number, values)
    return issue
  }

  return {
    createIssue: step((input) => {
      const number = Math.max(...issues.keys()) + 1
      const issue = createIssue({ number, type: input['issueTypeId']?.slice(2) ?? null }, tick())
      issue.parent = input['parentIssueId'] ? nodeOf(input['parentIssueId']).number : null
      issues.set(number, issue)
      applyInput(issue, input)
      return issue
    }),
    updateIssue: step((input) => {
      if (input['title'] === '') throw unprocessable("Title can't be blank")
      const issue = nodeOf(input['id'])
      applyInput(issue, input)
      return issue
    }),
    addLabelsToLabelable: ({ input: { labelableId, labelIds } }: { input: Input }) => {
      const issue = nodeOf(labelableId)
      const added = labelIds.map((id: string) => id.slice(2))
      change(issue.number, { labels: [...new Set<string>([...issue.labels, ...added])] })
      return { labelable: toIssue(issue) }
    },
    removeLabelsFromLabelable: ({ input: { labelableId, labelIds } }: { input: Input }) => {
      const issue = nodeOf(labelableId)
      change(issue.number, { labels: issue.labels.filter((name) => !labelIds.includes(`L_${name}`)) })
      return { labelable: toIssue(issue) }
    },
    closeIssue: step(({ issueId, stateReason }) => changeNode(issueId, { state: 'CLOSED', stateReason })),
    reopenIssue: step(({ issueId }) => changeNode(issueId, { state: 'OPEN', stateReason: 'REOPENED' })),
    addSubIssue: step(({ issueId, subIssueId }) => {
      nodeOf(subIssueId).parent = nodeOf(issueId).number
      return nodeOf(issueId)
    }),
    removeSubIssue: step(({ issueId, subIssueId }) => {
      nodeOf(subIssueId).parent = null
      return nodeOf(issueId)
    }),
    addBlockedBy: step(({ issueId, blockingIssueId }) => {
      nodeOf(issueId).blockedBy.push(nodeOf(blockingIssueId).number)
      return nodeOf(issueId)
    }),
    removeBlockedBy: step(({ issueId, blockingIssueId }) => {
      const issue = nodeOf(issueId)
      issue.blockedBy = issue.blockedBy.filter((one) => one !== nodeOf(blockingIssueId).number)
      return issue
    }),
    setIssueFieldValue: step(({ issueId, issueFields: changes }) => {
      const issue = nodeOf(issueId)
      issueFields.set(issue, changes)
      return issue
    }),
    deleteIssue: ({ input: { issueId } }: { input: Input }) => {
      if (!isAdmin)
        throw new GraphQLError(`${viewer} does not have the correct permissions to execute \`DeleteIssue\``, {
          extensions: { type: 'FORBIDDEN' },
        })
      const { number } = nodeOf(issueId)
      issues.delete(number)
      deleted.add(number)
      for (const issue of issues.values()) if (issue.parent === number) issue.parent = null
      return { repository: repository() }
    },
    updateIssueComment: ({ input: { id, body } }: { input: Input }) => {
      const { comment } = commentOf(id)
      comment.body = body
      return { issueComment: toComment(comment) }
    },
    deleteIssueComment: ({ input: { id } }: { input: Input }) => {
      const { comments, comment } = commentOf(id)
      comments.splice(comments.indexOf(comment), 1)
      return { clientMutationId: null }
    },
    addComment: ({ input: { subjectId, body } }: { input: Input }) => {
      const { comments } = nodeOf(subjectId)
      const comment = { id: 3_000_000_000 + comments.length, author: viewer, body, createdAt: tick() }
      comments.push(comment)
      return { commentEdge: { node: toComment(comment) } }
    },
  }
}
