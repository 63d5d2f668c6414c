import { type FakeIssue, type FakePullRequest, REPOSITORY } from './fake-issue'
import { type Page, paginate } from './paginate'

const WEB = `https://github.example/${REPOSITORY}`

/** The links of an issue to pull requests, commits and branches. */
export function listFakeLinks({ pulls, branches, closers }: FakeIssue) {
  const toPull = ({ number, title }: FakePullRequest) => ({
    __typename: 'PullRequest',
    id: `PR_${number}`,
    number,
    title,
    url: `${WEB}/pull/${number}`,
  })
  const toCommit = (messageHeadline: string) => ({
    __typename: 'Commit',
    id: `C_${messageHeadline}`,
    oid: '0123456789abcdef0123456789abcdef01234567',
    messageHeadline,
    commitUrl: `${WEB}/commit/0123456789abcdef0123456789abcdef01234567`,
  })
  const toEvent = (closer: FakePullRequest | string) => ({
    __typename: 'ClosedEvent',
    closer: typeof closer === 'string' ? toCommit(closer) : toPull(closer),
  })
  const toBranch = (name: string | null) => ({
    id: `LB_${name}`,
    ref: name === null ? null : { name, repository: { url: WEB } },
  })
  return {
    closedByPullRequestsReferences: (page: Page) => paginate(pulls.map(toPull), page),
    linkedBranches: (page: Page) => paginate(branches.map(toBranch), page),
    timelineItems: (page: Page) =>
      paginate([{ __typename: 'ClosedEvent', closer: null }, ...closers.map(toEvent)], page),
  }
}
