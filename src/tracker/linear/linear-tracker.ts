import * as z from 'zod'
import { mapPropertyFields } from '../services/build-item'
import { createTracker } from '../services/create-tracker'
import { COMMON_HEADERS, openClient } from '../services/requests/open-client'
import { systemTiming } from '../services/requests/rate-limiter'
import { ignoreRefusal } from '../services/requests/tracker-error'
import { DEFAULT_SETTING_NAMES } from '../services/setting-names'
import { createSiteIdentity } from '../services/tracker-address'
import type { TrackerSettings } from '../services/tracker-settings'
import { TypeLabels } from '../services/type-labels'
import type { Tracker } from '../tracker'
import { parseTeamAddress } from './address'
import { createIssue, findCreatedIssue } from './create-issue'
import { explainAbsence, findByType, resolveKeys, searchIssues } from './find-issues'
import { createIssueReader } from './issue-reader'
import { LinearClient } from './linear-client'
import { createAttachmentReader, createAttachmentWriter } from './parts/attachments'
import { addComment, createThreadEditor, listComments } from './parts/comments'
import { createRestoring, createTransitionReader, createTrashing } from './parts/life-cycle'
import { createQueryRunner } from './parts/queries'
import { createAttachedLinks } from './parts/web-links'
import { readTrees } from './read-trees'
import { registerHook } from './register-hook'
import { classifyResponse, parsePause } from './response-error'
import { FIELDS, listIterations, TeamMetadata } from './team-metadata'
import { updateIssues } from './update-issues'

/** Opens the issues of a team in Linear, with its GraphQL API. */
export function openLinearTracker(settings: TrackerSettings): Tracker {
  const { timing = systemTiming, settingNames: names = DEFAULT_SETTING_NAMES } = settings
  const team = parseTeamAddress(settings.url, settings.project, names)
  const client = openClient(settings, {
    address: team.api,
    addressForm: 'the address of a team in Linear',
    headers: COMMON_HEADERS,
    query: {},
    // A personal API key has no scheme; the token of an application does.
    authorize: (token) => (token.startsWith('lin_api_') ? token : `Bearer ${token}`),
    parsePause,
    classifyResponse,
  })
  const linear = new LinearClient(client, team)
  const mapping = { team: team.key, typeLabels: new TypeLabels(settings.typeLabels ?? []) }
  const metadata = new TeamMetadata(linear, mapping, timing.now)
  const reader = createIssueReader({ linear, mapping, metadata })
  const parts = { linear, mapping, metadata, reader }
  const webLinks = createAttachedLinks(linear)
  // It is not documented whether a change of relations is an update, and comparing the versions of 1,000 issues takes one request.
  return createTracker(
    {
      kind: 'linear',
      settings,
      project: `${team.workspace}/${team.key}`,
      client,
      reader,
      metadata,
      readTrees: async (rootIds, signal) => ({ trees: await readTrees(rootIds, linear, signal) }),
    },
    {
      parts: {
        attachments: createAttachmentReader(linear),
        uploads: createAttachmentWriter(linear),
        transitions: createTransitionReader(parts),
        deletion: createTrashing(parts),
        restoring: createRestoring(parts),
        commentEditing: createThreadEditor(linear),
        queries: createQueryRunner(linear),
        webLinks,
        webLinkEditing: webLinks,
      },
      resolveIdentity: async () => createSiteIdentity(team.webBase, `${team.workspace}/${team.key}`),
      resolveKeys: (keys, signal) => resolveKeys(keys, linear, signal),
      explainAbsence: (ids, signal) => explainAbsence(ids, linear, signal),
      search: (query, signal) => searchIssues(query, parts, signal),
      findByType: (query, signal) => findByType(query, parts, signal),
      listIterations: async (signal) => listIterations(await metadata.get(signal)),
      updateItems: (changes, options) => updateIssues(changes, options, parts),
      listPropertyFields: async () => mapPropertyFields(FIELDS),
      createItem: (item, options) => createIssue(item, options, parts),
      findCreatedItem: (item, signal) => findCreatedIssue(item, signal, parts),
      // The marker is the ID of the issue, and so no part of its text.
      removeMarker: async () => ({ isGone: true, item: null }),
      listComments: (itemId, options) => listComments(itemId, options, linear),
      addComment: (comment, signal) => addComment(comment, signal, linear),
      async checkCredential(signal) {
        await linear.ask('viewer { id }', {}, z.object({ viewer: z.object({}) }), signal).catch(ignoreRefusal)
      },
      registerHook: (hook, signal) => registerHook(hook, { linear, metadata }, signal),
    },
  )
}
