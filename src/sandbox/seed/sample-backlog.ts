import { sampleSite } from '../../tracker/sample-site'
import { type SandboxState, STATE_FORMAT } from '../state/state'
import backlog from './backlog.json'
import { createAttachments, queries, repositories } from './files'
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

interface Plans {
  items: ItemPlan[]
  dependencies: DependencyPlan[]
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
 * - 204: text pasted from a word processor, mentions, a telephone number, leaked tokens, two files, a pull request; bug 501 is below it.
 * - 205: blocked by its field and by 215, an open story of another feature. 206 waits for 204 (open) and 203 (done), and has no estimate.
 * - 207: removed, with its task. 210: Markdown. 212: blocked by a tag. 216: waits for 214 (done) and 215 (open).
 * - 217: a table pasted from a spreadsheet. 218: a connection string with a password. 506: a pasted mail.
 *
 * It is Wednesday, 18 November 2026, in the iteration Sprint 24.
 */
export function createSampleBacklog(): SandboxState {
  const { items: plans, dependencies } = JSON.parse(JSON.stringify(backlog), readValue) as Plans
  const { items, links } = buildHistory(plans, dependencies, { area: 'root', writtenOn: '2026-09-28' })
  return {
    format: STATE_FORMAT,
    organization: sampleSite.organization,
    project,
    people: Object.values(team),
    areas: areaTree,
    iterations: iterationTree,
    items,
    links,
    attachments: createAttachments(),
    queries,
    repositories,
  }
}

/** Replaces `{mention:priya}` and `{secret:trackerToken}`, and joins a text that is a list of lines in the file. */
function readValue(key: string, value: unknown): unknown {
  if (Array.isArray(value)) return key === 'text' || key === 'criteria' ? value.join('\n') : value
  if (typeof value !== 'string') return value
  return value.replace(/\{(mention|secret):(\w+)\}/g, (_, kind: string, name: string) =>
    kind === 'mention' ? formatMention(name as Member) : fakeSecrets[name as keyof typeof fakeSecrets],
  )
}
