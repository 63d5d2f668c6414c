import { sampleSite } from '../../tracker/sample-site'
import { type SandboxState, STATE_FORMAT } from '../state/state'
import backlog from './backlog.json'
import { buildHistory, type DependencyPlan, type ItemPlan } from './item-history'
import { areaTree, formatMention, iterationTree, type Member, project, team } from './project'

/**
 * Fake secrets in the form of real ones, as people leave them in work items. They are assembled here so that no secret scanner
 * takes them for a leak.
 */
const trackerToken = ['k4xw7h2n', 'qz5tj3mv', 'r6bd2yfa', 'p7gc4lse', 'u3ok5xih', 'n2wq6tzd', 'm4vb'].join('')

const codeHostToken = ['ghp', `${'R7tVq2Lx'}${'9KdPz4Wn'}${'6HsYb3Mc'}${'8JfGa5Te'}${'1UoX'}`].join('_')

const databasePassword = ['Tide', 'Table', '7!', 'quay'].join('')

const databaseConnection = [
  'Server=tcp:sql-harbor.quayside.example,1433',
  'Database=carriers',
  'User ID=portal_app',
  ['Pass', `word=${databasePassword}`].join(''),
  'Encrypt=True',
].join(';')

const messageGatewayAddress = [
  'https://gatekeeper',
  ':',
  'low',
  '-water-',
  '2026',
  '@sms.quayside.example/v2/send',
].join('')

const fakeSecrets = { trackerToken, codeHostToken, databaseConnection, messageGatewayAddress }

/** In the file, a text may be a list of lines. */
type StoredPlan = Omit<ItemPlan, 'text' | 'criteria' | 'children'> & {
  text?: string | string[]
  criteria?: string | string[]
  children?: StoredPlan[]
}

/**
 * The sample backlog: the project Harbor of the organization `quayside`, a team that writes warehouse software. No person or
 * company in it is real. Mail goes to `example` domains, telephone numbers have an unassigned area code, tokens are fake.
 *
 * IDs follow a pattern:
 * - 101 to 103 are features: gate check-in (30 items in all), cycle counting, carrier portal.
 * - 201 to 207 are the stories of 101, 208 to 213 those of 102, 214 to 219 those of 103.
 * - Tasks follow their story: 201 has 311, 312, …, 204 has 341 to 344, 210 has 401 to 403 (300 + ten times the part above 200).
 * - 501 to 508 are bugs: 501, 504 and 505 below a story, 502, 503 and 506 below a feature, 507 and 508 without a parent.
 *
 * Items worth a look:
 * - 204: text pasted from a word processor, mentions, a telephone number, leaked tokens; bug 501 is below it.
 * - 205: blocked by its field and by 215, an open story of another feature. 206 waits for 204 (open) and 203 (done), and has no estimate.
 * - 207: removed, with its task. 210: Markdown. 212: blocked by a tag. 216: waits for 214 (done) and 215 (open).
 * - 217: a table pasted from a spreadsheet. 218: a connection string with a password. 506: a pasted mail.
 *
 * It is Wednesday, 18 November 2026, in the iteration Sprint 24.
 */
export function createSampleBacklog(): SandboxState {
  const { items, links } = buildHistory(
    (backlog.items as StoredPlan[]).map(readPlan),
    backlog.dependencies as DependencyPlan[],
    { area: 'root', writtenOn: '2026-09-28' },
  )
  return {
    format: STATE_FORMAT,
    organization: sampleSite.organization,
    project,
    people: Object.values(team),
    areas: areaTree,
    iterations: iterationTree,
    items,
    links,
  }
}

function readPlan({ text, criteria, comments, children, ...plan }: StoredPlan): ItemPlan {
  return {
    ...plan,
    ...(text === undefined ? {} : { text: readText(text) }),
    ...(criteria === undefined ? {} : { criteria: readText(criteria) }),
    ...(comments ? { comments: comments.map((comment) => ({ ...comment, text: readText(comment.text) })) } : {}),
    ...(children ? { children: children.map(readPlan) } : {}),
  }
}

/** Replaces `{mention:priya}` and `{secret:trackerToken}`. */
function readText(text: string | string[]): string {
  return (typeof text === 'string' ? text : text.join('\n')).replace(
    /\{(mention|secret):(\w+)\}/g,
    (_, kind: string, name: string) =>
      kind === 'mention' ? formatMention(name as Member) : fakeSecrets[name as keyof typeof fakeSecrets],
  )
}
