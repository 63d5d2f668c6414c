import * as z from 'zod'
import { createTracker } from '../services/create-tracker'
import { COMMON_HEADERS, openClient } from '../services/requests/open-client'
import { parseRateLimit, parseRetryAfter, systemTiming } from '../services/requests/rate-limiter'
import { ignoreRefusal } from '../services/requests/tracker-error'
import { DEFAULT_SETTING_NAMES } from '../services/setting-names'
import { createSiteIdentity } from '../services/tracker-address'
import type { TrackerSettings } from '../services/tracker-settings'
import { TypeLabels } from '../services/type-labels'
import type { Tracker } from '../tracker'
import { parseRepositoryAddress } from './address'
import { createIssue, findCreatedIssue, removeMarker } from './create-issue'
import { explainAbsence } from './explain-absence'
import { createIssueReader } from './issue-reader'
import { createAttachmentReader } from './parts/attachments'
import { createIssueCommentEditor } from './parts/comment-editing'
import { addComment, listComments } from './parts/comments'
import { createDeletion } from './parts/deletion'
import { createQueryRunner } from './parts/queries'
import { createTransitionReader } from './parts/transitions'
import { createWebLinkReader } from './parts/web-links'
import { readTrees } from './read-tree'
import { registerHook } from './register-hook'
import { RepositoryClient } from './repository-client'
import { listFields, RepositoryMetadata } from './repository-metadata'
import { createKeyResolver } from './resolve-keys'
import { classifyResponse } from './response-error'
import { findByType, searchIssues } from './search-issues'
import { updateIssues } from './update-issues'

/** Opens the issues of a repository on GitHub or GitHub Enterprise Server, with its GraphQL API. */
export function openGitHubTracker(settings: TrackerSettings): Tracker {
  const { timing = systemTiming, settingNames: names = DEFAULT_SETTING_NAMES } = settings
  const repository = parseRepositoryAddress(settings.url, settings.project, names)
  const { api: address, owner, name } = repository
  const client = openClient(settings, {
    address,
    addressForm: 'the address of a repository on GitHub',
    headers: COMMON_HEADERS,
    query: {},
    authorize: (token) => `Bearer ${token}`,
    parsePause: (header, now) => parseRetryAfter(header('retry-after'), now) ?? parseRateLimit(header, now),
    classifyResponse,
  })
  const mapping = {
    owner,
    name,
    typeLabels: new TypeLabels(settings.typeLabels ?? []),
    board: settings.board ?? null,
    webBase: repository.webBase,
  }
  const graphql = new RepositoryClient(client, repository, names, settings.onNotice)
  const metadata = new RepositoryMetadata(graphql, mapping, timing.now)
  const reader = createIssueReader(graphql, mapping)
  const parts = { graphql, mapping, metadata, reader }
  const resolveKeys = createKeyResolver(graphql)
  const explain: Tracker['explainAbsence'] = (numbers, signal) =>
    explainAbsence(numbers, { client, repository }, signal)
  // GitHub lists updated issues, but a change of a link or of a board is no update. Comparing versions takes few requests.
  return createTracker(
    {
      kind: 'github',
      settings,
      project: `${owner}/${name}`,
      client,
      reader,
      metadata,
      readTrees: (rootIds, signal) => readTrees(rootIds, { ...parts, signal }),
    },
    {
      parts: {
        attachments: createAttachmentReader(graphql, client),
        transitions: createTransitionReader(parts),
        deletion: createDeletion(parts, explain),
        commentEditing: createIssueCommentEditor(graphql),
        queries: createQueryRunner(parts),
        webLinks: createWebLinkReader(graphql),
      },
      resolveIdentity: async () => createSiteIdentity(repository.webBase, `${owner}/${name}`),
      async hadIdentity(identity, signal) {
        const site = createSiteIdentity(repository.webBase, '')
        const key = `${identity.slice(site.length)}#1`
        return identity.startsWith(site) && (await resolveKeys([key], signal)).has(key)
      },
      resolveKeys,
      explainAbsence: explain,
      search: (query, signal) => searchIssues(query, parts, signal),
      findByType: (query, signal) => findByType(query, parts, signal),
      listIterations: async (signal) => (await metadata.get(signal)).iterations,
      updateItems: (changes, options) => updateIssues(changes, options, parts),
      listPropertyFields: async () => listFields(mapping),
      createItem: (item, options) => createIssue(item, options, parts),
      findCreatedItem: (item, signal) => findCreatedIssue(item, signal, parts),
      removeMarker: (id, marker, signal) => removeMarker(id, marker, signal, parts),
      listComments: (itemId, options) => listComments(itemId, options, graphql),
      addComment: (comment, signal) => addComment(comment, signal, graphql),
      // Its API answers nothing to an anonymous caller.
      async checkCredential(signal) {
        const viewer = () => ({ query: '{ viewer { login } }', variables: {} })
        await graphql.query(viewer, z.object({ viewer: z.object({}) }), signal).catch(ignoreRefusal)
      },
      registerHook: (hook, signal) => registerHook(hook, { client, repository }, signal),
    },
  )
}
