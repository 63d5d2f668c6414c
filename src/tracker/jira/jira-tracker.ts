import * as z from 'zod'
import { parseItemId } from '../services/item-keys'
import { openClient } from '../services/open-client'
import { parseRetryAfter, systemTiming } from '../services/rate-limiter'
import { TrackerError } from '../services/tracker-error'
import type { TrackerSettings } from '../services/tracker-settings'
import type { Tracker } from '../tracker'
import { createProjectIdentity, parseIssueKey, parseJiraProject } from './address'
import { addComment, listComments } from './comments'
import { createIssue, findCreatedIssue, removeMarker } from './create-issue'
import { createIssueReader, findIdsByKey } from './issue-reader'
import { JiraClient } from './jira-client'
import { ReadAhead } from './read-ahead'
import { findChildren, readTrees } from './read-trees'
import { classifyResponse } from './response-error'
import { findByType, findReadableItems, readChanges, searchIssues } from './search-issues'
import { listFields, SiteMetadata } from './site-metadata'
import { updateIssues } from './update-issues'

/** Opens a project of Jira Cloud or Jira Data Center. */
export function openJiraTracker(settings: TrackerSettings): Tracker {
  const { timing = systemTiming, account = null } = settings
  const token = settings.token || null
  const project = parseJiraProject(settings.url, settings.project)
  const { site: address, key } = project
  const basic = account && token ? Buffer.from(`${account}:${token}`).toString('base64') : null
  const http = openClient(settings, {
    address,
    addressForm: 'the address of a Jira site, such as https://site.atlassian.net',
    headers: {
      accept: 'application/json',
      'accept-encoding': 'gzip',
      'user-agent': 'story-studio',
      // Jira answers changes with an error if they seem to come from a browser.
      'x-atlassian-token': 'no-check',
      ...(token === null ? {} : { authorization: basic === null ? `Bearer ${token}` : `Basic ${basic}` }),
    },
    query: {},
    secrets: [token, basic].filter((secret) => secret !== null),
    parsePause,
    classifyResponse,
  })
  const client = new JiraClient(http, project)
  const metadata = new SiteMetadata(client, timing.now)
  const ahead = new ReadAhead(timing.now)
  const reader = createIssueReader({ client, metadata, ahead })
  const parts = { client, metadata, ahead, reader }
  return {
    name: settings.name ?? address.label,
    kind: 'jira',
    capabilities: {
      textFormat: 'markdown',
      linkKinds: ['parent', 'child', 'predecessor', 'successor', 'related'],
      testsRevisions: false,
    },
    resolveIdentity: async () => createProjectIdentity(project),
    async resolveKeys(keys, signal) {
      const found = new Map<string, number>()
      const named = keys.flatMap((text) => {
        const id = parseItemId(text)
        if (id !== null) found.set(text, id)
        const issue = id === null ? parseIssueKey(text, project) : null
        return issue === null ? [] : [[text, issue] as const]
      })
      const ids = await findIdsByKey(
        named.map(([, issue]) => issue),
        client,
        signal,
      )
      for (const [text, issue] of named) if (ids.has(issue)) found.set(text, ids.get(issue)!)
      return found
    },
    getItem: (id, signal) => reader.readItem(id, signal),
    getItems: (ids, options) => reader.readItems(ids, options),
    readItems: (ids, options) => reader.readPages(ids, options),
    getShape: (id, signal) => reader.readShape(id, signal),
    readChanges: (position, options) => readChanges(position, options, parts),
    findReadableItems: (ids, signal) => findReadableItems(ids, parts, signal),
    search: (query, signal) => searchIssues(query, parts, signal),
    async getTree(rootId, signal) {
      const { trees, missing } = await readTrees([rootId], parts, signal)
      if (missing.has(rootId)) throw reader.createNotFoundError(rootId)
      return trees.get(rootId)!
    },
    getTrees: async (rootIds, signal) => (await readTrees(rootIds, parts, signal)).trees,
    findChildren: (ids, signal) => findChildren(ids, parts, signal),
    findByType: (query, signal) => findByType(query, parts, signal),
    describeProcess: (signal, wanted = ['iterations']) => metadata.describeProcess(signal, wanted),
    listIterations: (signal) => metadata.listIterations(signal),
    listAllowedValues: async () => null,
    updateItems: (changes, options) => updateIssues(changes, options, parts),
    listPropertyFields: async (_, signal) => listFields(await metadata.forReading(signal)),
    createItem: (item, options) => createIssue(item, options, parts),
    findCreatedItem: (item, signal) => findCreatedIssue(item, signal, parts),
    removeMarker: (id, marker, signal) => removeMarker(id, marker, signal, parts),
    listComments: (itemId, options) => listComments(itemId, options, client),
    addComment: (comment, signal) => addComment(comment, signal, client),
    async probe(signal) {
      const found = client.read({ method: 'GET', path: `/project/${key}` }, z.object({ key: z.string() }), signal)
      await found.catch((error: unknown) => {
        if (!(error instanceof TrackerError) || error.code !== 'not_found') throw error
        throw new TrackerError('not_found', `The project ${key} does not exist, or your token cannot read it.`, {
          hint: 'Check STUDIO_TRACKER_PROJECT, and STUDIO_TRACKER_ACCOUNT for Jira Cloud.',
        })
      })
      return { project: key, aheadMs: http.toTrackerTime(0) }
    },
    close: () => http.close(),
  }
}

/** Jira writes the end of the limit as an ISO 8601 time. */
function parsePause(header: (name: string) => string | null, now: number): number | null {
  const retryAfter = parseRetryAfter(header('retry-after'), now)
  if (retryAfter !== null || header('x-ratelimit-remaining') !== '0') return retryAfter
  const reset = Date.parse(header('x-ratelimit-reset') ?? '')
  return Number.isNaN(reset) ? null : Math.max(0, reset - now)
}
