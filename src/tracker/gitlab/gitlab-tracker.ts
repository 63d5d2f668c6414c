import * as z from 'zod'
import { getCapabilities } from '../services/capabilities'
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
import { readTree, readTrees } from './read-trees'
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
  return {
    name: settings.name ?? address.api.label,
    kind: 'gitlab',
    capabilities: getCapabilities('gitlab'),
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
    getItem: (id, signal) => reader.readItem(id, signal),
    getItems: (ids, options) => reader.readItems(ids, options),
    readItems: (ids, options) => reader.readPages(ids, options),
    getShape: (id, signal) => reader.readShape(id, signal),
    // GitLab lists updated items, but a change of a link is no update. Comparing versions takes few requests.
    readChanges: async () => null,
    findReadableItems: async () => null,
    explainAbsence: async () => new Map(),
    search: (query, signal) => searchItems(query, parts, signal),
    getTree: (rootId, signal) => readTree(rootId, parts, signal),
    getTrees: async (rootIds, signal) => (await readTrees(rootIds, parts, signal)).trees,
    findChildren: async () => null,
    findByType: (query, signal) => findByType(query, parts, signal),
    describeProcess: (signal) => metadata.describeProcess(signal),
    listFurtherFields: (signal) => metadata.listFurtherFields(signal),
    listIterations: async (signal) => (await metadata.get(signal)).times,
    listAllowedValues: (_type, referenceName, signal) => metadata.listAllowedValues(referenceName, signal),
    updateItems: (changes, options) => updateItems(changes, options, parts),
    listTextLosses: async () => [],
    listPropertyFields: (_item, signal) => metadata.listPropertyFields(signal),
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
    async probe(signal) {
      await metadata.read(signal)
      return { project: address.path, aheadMs: client.toTrackerTime(0) }
    },
    close: () => client.close(),
  }
}
