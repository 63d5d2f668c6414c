import { isSignedToken } from '../../credentials'
import { getCapabilities } from '../services/capabilities'
import { mapKeys, parseItemId } from '../services/item-keys'
import type { HttpClientSettings } from '../services/requests/http-client'
import { COMMON_HEADERS, createBasicAuth, openClient } from '../services/requests/open-client'
import { systemTiming } from '../services/requests/rate-limiter'
import { DEFAULT_SETTING_NAMES } from '../services/setting-names'
import { parseTrackerAddress } from '../services/tracker-address'
import type { TrackerSettings } from '../services/tracker-settings'
import type { Tracker } from '../tracker'
import { checkCredential } from './check-credential'
import { addComment, listComments } from './comments'
import { createItem, findCreatedItem, removeMarker } from './create-item'
import { isHosted } from './description'
import { ItemReader } from './item-reader'
import { findDescriptionField, mapPropertyFields } from './map-process'
import { createAttachmentReader } from './parts/attachments'
import { createItemCommentEditor } from './parts/comment-editing'
import { createItemDeletion, createRestoring } from './parts/deletion'
import { createQueryRunner } from './parts/queries'
import { createTransitionReader } from './parts/transitions'
import { createAttachmentWriter } from './parts/uploads'
import { createWebLinks } from './parts/web-links'
import { ProcessMetadata } from './process-metadata'
import { ProjectResolver } from './project-resolver'
import { findReadableItems, readChanges } from './read-changes'
import { readTree, readTrees } from './read-tree'
import { explainAbsence } from './recycle-bin'
import { registerHook } from './register-hook'
import { classifyResponse } from './response-error'
import { findByType, searchItems } from './search-items'
import { updateItems } from './update-items'
import { buildItemPageUrl, createTrackerIdentity } from './urls'

/** Opens Azure DevOps Services or Server with its Work Item Tracking REST API. Throws `invalid` if the address is not valid. */
export function openAzureDevOpsTracker(settings: TrackerSettings): Tracker {
  const { timing = systemTiming, settingNames: names = DEFAULT_SETTING_NAMES } = settings
  const address = parseTrackerAddress(settings.url, names.url)
  const client = openClient(settings, {
    ...requestDefaults,
    address,
    addressForm: 'the address of the tracker with its organization',
    classifyResponse,
  })
  const project = new ProjectResolver(settings.project || null, client, names.project)
  const metadata = new ProcessMetadata(client, project, timing.now)
  const webBase = settings.webUrl === undefined ? address.base : parseTrackerAddress(settings.webUrl).base
  const pageUrl = (id: number) => buildItemPageUrl(webBase, project.known, id)
  const reader = new ItemReader({ address, pageUrl, client, metadata })
  const parts = { address, client, project, metadata, reader }
  const webLinks = createWebLinks(parts, webBase)
  return {
    get name() {
      return settings.name ?? [address.label, project.known].filter((part) => part !== null).join('/')
    },
    kind: 'azure-devops',
    capabilities: getCapabilities('azure-devops'),
    parts: {
      attachments: createAttachmentReader(parts, webBase),
      uploads: createAttachmentWriter(parts, { isHosted: isHosted(address.base) }),
      commentEditing: createItemCommentEditor(parts),
      queries: createQueryRunner(parts, webBase),
      webLinks: webLinks.reader,
      webLinkEditing: webLinks.editor,
      transitions: createTransitionReader(parts),
      deletion: createItemDeletion(parts),
      restoring: createRestoring(parts),
    },
    resolveIdentity: async (signal) => createTrackerIdentity(address, await project.get(signal)),
    resolveKeys: async (keys) => mapKeys(keys, parseItemId),
    getItem: (id, signal) => reader.readItem(id, signal),
    getItems: (ids, options) => reader.readItems(ids, options),
    readItems: (ids, options) => reader.readPages(ids, options),
    getShape: (id, signal) => reader.readShape(id, signal),
    readChanges: (position, bounds) => readChanges(position, parts, bounds),
    findReadableItems: (ids, signal) => findReadableItems(ids, parts, signal),
    explainAbsence: (ids, signal) => explainAbsence(ids, parts, signal),
    search: (query, signal) => searchItems(query, parts, signal),
    getTrees: (rootIds, signal) => readTrees(rootIds, parts, signal),
    // One query reads a tree.
    findChildren: async () => null,
    findByType: (query, signal) => findByType(query, parts, signal),
    getTree: (rootId, signal) => readTree(rootId, parts, signal),
    describeProcess: (signal, parts = ['areas', 'iterations']) => metadata.process(parts, signal),
    listIterations: (signal) => metadata.iterations(signal),
    listAllowedValues: (typeName, referenceName, signal) => metadata.listAllowedValues(typeName, referenceName, signal),
    updateItems: (changes, options) => updateItems(changes, options, parts),
    listTextLosses: async () => [],
    async listPropertyFields({ fields }, signal) {
      const description =
        'System.Description' in fields ? 'System.Description' : findDescriptionField(Object.keys(fields))
      return mapPropertyFields(await metadata.findPointsField(signal), description)
    },
    createItem: (item, options) => createItem(item, options, parts),
    findCreatedItem: (item, signal) => findCreatedItem(item, signal, parts),
    removeMarker: (id, marker, signal) => removeMarker(id, marker, signal, parts),
    listComments: (itemId, options) => listComments(itemId, options, parts),
    addComment: (comment, signal) => addComment(comment, signal, parts),
    checkCredential: (signal) => checkCredential(client, signal),
    registerHook: (hook, signal) => registerHook(hook, parts, signal),
    async probe(signal) {
      const name = await project.get(signal)
      await metadata.process([], signal)
      return { project: name, aheadMs: client.toTrackerTime(0) }
    },
    close: () => client.close(),
  }
}

/** The headers and parameters of every request to Azure DevOps. Tokens of Entra ID are sent as they are, its own with Basic authentication. */
export const requestDefaults = {
  query: { 'api-version': '7.1' },
  // Without it the tracker redirects to a sign-in page instead of sending a status.
  headers: { ...COMMON_HEADERS, 'x-tfs-fedauthredirect': 'Suppress' },
  authorize: (token: string) => (isSignedToken(token) ? `Bearer ${token}` : createBasicAuth('', token)),
} satisfies Pick<HttpClientSettings, 'headers' | 'query' | 'authorize'>
