import * as z from 'zod'
import { mapPropertyFields } from '../services/build-item'
import { createTracker } from '../services/create-tracker'
import { COMMON_HEADERS, openClient } from '../services/requests/open-client'
import { systemTiming } from '../services/requests/rate-limiter'
import { createTokenError } from '../services/requests/response-errors'
import { ignoreRefusal } from '../services/requests/tracker-error'
import { DEFAULT_SETTING_NAMES } from '../services/setting-names'
import { createSiteIdentity } from '../services/tracker-address'
import type { TrackerSettings } from '../services/tracker-settings'
import type { Tracker } from '../tracker'
import { parseProjectAddress } from './address'
import { createItem, findCreatedItem, removeMarker } from './create-item'
import { createItemReader } from './item-reader'
import { createAttachmentReader, createAttachmentWriter } from './parts/attachments'
import { createWebLinkReader } from './parts/development'
import { createDeletion, createTransitionReader } from './parts/lifecycle'
import { addComment, createNoteEditor, listComments } from './parts/notes'
import { createTimelogs } from './parts/worklogs'
import { ProjectClient } from './project-client'
import { ProjectMetadata } from './project-metadata'
import { readTrees } from './read-trees'
import { registerHook } from './register-hook'
import { classifyResponse, parsePause } from './response-error'
import { createQueryRunner, findByType, resolveKeys, searchItems } from './search-items'
import { updateItems } from './update-items'

/** Opens the work items of a project on GitLab.com or a GitLab server, with its GraphQL API. */
export function openGitLabTracker(settings: TrackerSettings): Tracker {
  const { timing = systemTiming, settingNames: names = DEFAULT_SETTING_NAMES } = settings
  const address = parseProjectAddress(settings.url, settings.project, names)
  const client = openClient(settings, {
    address: address.api,
    addressForm: 'the address of a project on GitLab',
    headers: COMMON_HEADERS,
    query: {},
    authorize: (token) => `Bearer ${token}`,
    parsePause,
    classifyResponse,
  })
  const graphql = new ProjectClient(client, address, names)
  const metadata = new ProjectMetadata(graphql, timing.now)
  const reader = createItemReader(graphql)
  const parts = { client, graphql, metadata, reader }
  const foundation = { kind: 'gitlab', settings, project: address.path, client, reader, metadata } as const
  const readTreesBelow = (rootIds: readonly number[], signal: AbortSignal) => readTrees(rootIds, parts, signal)
  // GitLab lists updated items, but a change of a link is no update. Comparing versions takes few requests, so changes are not read.
  return createTracker(
    { ...foundation, readTrees: readTreesBelow },
    {
      parts: {
        attachments: createAttachmentReader(parts),
        uploads: createAttachmentWriter(parts),
        transitions: createTransitionReader(parts),
        deletion: createDeletion(parts),
        commentEditing: createNoteEditor(graphql),
        queries: createQueryRunner(parts),
        webLinks: createWebLinkReader(graphql),
        worklogs: createTimelogs(graphql),
      },
      resolveIdentity: async () => createSiteIdentity(address.api.base, address.path),
      resolveKeys: (keys, signal) => resolveKeys(keys, parts, signal),
      search: (query, signal) => searchItems(query, parts, signal),
      findByType: (query, signal) => findByType(query, parts, signal),
      listFurtherFields: async (signal) =>
        (await metadata.listFields(signal)).filter(({ property, readOnly }) => property === null && !readOnly),
      listIterations: async (signal) => (await metadata.get(signal)).times,
      updateItems: (changes, options) => updateItems(changes, options, parts),
      listPropertyFields: async (_, signal) => mapPropertyFields(await metadata.listFields(signal)),
      createItem: (item, options) => createItem(item, options, parts),
      findCreatedItem: (item, signal) => findCreatedItem(item, signal, parts),
      removeMarker: (id, marker, signal) => removeMarker(id, marker, signal, parts),
      listComments: (itemId, options) => listComments(itemId, options, graphql),
      addComment: (comment, signal) => addComment(comment, signal, graphql),
      async checkCredential(signal) {
        const viewer = () => ({ query: '{ currentUser { username } }', variables: {} })
        const shape = z.object({ currentUser: z.object({}).nullable() })
        const answer = await graphql.query(viewer, shape, signal).catch(ignoreRefusal)
        if (answer?.currentUser === null)
          throw createTokenError('', client.access, 'Create an access token with the scope api.')
      },
      registerHook: (hook, signal) => registerHook(hook, { client, address }, signal),
    },
  )
}
