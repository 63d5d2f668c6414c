import * as z from 'zod'
import { createTracker } from '../services/create-tracker'
import { findKeys } from '../services/item-keys'
import { COMMON_HEADERS, createBasicAuth, openClient } from '../services/requests/open-client'
import { parseRateLimit, parseRetryAfter, systemTiming } from '../services/requests/rate-limiter'
import { ReadAhead } from '../services/requests/read-ahead'
import { ignoreRefusal, renameMissing } from '../services/requests/tracker-error'
import { DEFAULT_SETTING_NAMES } from '../services/setting-names'
import { createSiteIdentity } from '../services/tracker-address'
import type { TrackerSettings } from '../services/tracker-settings'
import type { Tracker } from '../tracker'
import { parseIssueKey, parseJiraProject } from './address'
import { addComment, listComments } from './comments'
import { createIssue, findCreatedIssue, removeMarker } from './create-issue'
import { toProcessField } from './further-fields'
import { createIssueReader } from './issue-reader'
import { JiraClient } from './jira-client'
import type { WireIssue } from './map-issue'
import { openParts } from './parts/open-parts'
import { findChildren, readTrees } from './read-trees'
import { registerHook } from './register-hook'
import { resolveIssueKeys } from './resolve-keys'
import { classifyResponse } from './response-error'
import { findByType, findReadableItems, readChanges, searchIssues } from './search-issues'
import { listFields } from './site-fields'
import { SiteMetadata } from './site-metadata'
import { listTextLosses, updateIssues } from './update-issues'

/** What Jira says in its answer to a token that is expired, revoked or locked by a CAPTCHA. It comes with 200 where anybody may read. */
const REFUSED_SIGN_IN = /\b(?:AUTHENTICATED_FAILED|AUTHENTICATION_DENIED)\b/

/** Opens a project of Jira Cloud or Jira Data Center. */
export function openJiraTracker(settings: TrackerSettings): Tracker {
  const { timing = systemTiming, account = null, settingNames: names = DEFAULT_SETTING_NAMES } = settings
  const project = parseJiraProject(settings.url, settings.project, names)
  const { site: address, key } = project
  const http = openClient(settings, {
    address,
    addressForm: 'the address of a Jira site, such as https://site.atlassian.net',
    // Jira answers changes with an error if they seem to come from a browser.
    headers: { ...COMMON_HEADERS, 'x-atlassian-token': 'no-check' },
    query: {},
    authorize: (token) => (account ? createBasicAuth(account, token) : `Bearer ${token}`),
    parsePause: (header, now) => parseRetryAfter(header('retry-after'), now) ?? parseRateLimit(header, now),
    isForAnonymous: (header) => REFUSED_SIGN_IN.test(header('x-seraph-loginreason') ?? ''),
    classifyResponse,
  })
  const client = new JiraClient(http, project)
  const metadata = new SiteMetadata(client, timing.now)
  const reading = { client, metadata, ahead: new ReadAhead<WireIssue>(timing.now) }
  const reader = createIssueReader(reading)
  const parts = { ...reading, reader }
  // Jira says the same of deleted issues and of those that the account may not see, and so does not explain absence.
  return createTracker(
    {
      kind: 'jira',
      settings,
      project: key,
      client: http,
      reader,
      metadata: {
        describeProcess: (signal, wanted = ['iterations']) => metadata.describeProcess(signal, wanted),
        async read(signal) {
          const found = client.get(`/project/${key}`, {}, z.object({ key: z.string() }), signal)
          await renameMissing(found, `The project ${key} does not exist, or your token cannot read it.`, {
            hint: `Check ${names.project}, and ${names.account} for Jira Cloud.`,
          })
        },
      },
      readTrees: (rootIds, signal) => readTrees(rootIds, parts, signal),
    },
    {
      parts: openParts(parts),
      resolveIdentity: async () => createSiteIdentity(address.base, `${new URL(address.base).pathname}/${key}`),
      resolveKeys: (keys, signal) => findKeys(keys, parseIssueKey, (names) => resolveIssueKeys(names, client, signal)),
      readChanges: (position, options) => readChanges(position, options, parts),
      findReadableItems: (ids, signal) => findReadableItems(ids, parts, signal),
      search: (query, signal) => searchIssues(query, parts, signal),
      findChildren: (ids, signal) => findChildren(ids, parts, signal),
      findByType: (query, signal) => findByType(query, parts, signal),
      listFurtherFields: async (signal) => (await metadata.forReading(signal)).further.map(toProcessField),
      listIterations: (signal) => metadata.sprints.listIterations(signal),
      listNamedIterations: () => metadata.sprints.listNamedIterations(),
      listAllowedValues: (type, field, signal) => metadata.listAllowedValues(type, field, signal),
      updateItems: (changes, options) => updateIssues(changes, options, parts),
      listTextLosses: (id, fields, signal) => listTextLosses(id, fields, parts, signal),
      listPropertyFields: async (_, signal) => listFields(await metadata.forReading(signal)),
      createItem: (item, options) => createIssue(item, options, parts),
      findCreatedItem: (item, signal) => findCreatedIssue(item, signal, parts),
      removeMarker: (id, marker, signal) => removeMarker(id, marker, signal, parts),
      listComments: (itemId, options) => listComments(itemId, options, client),
      addComment: (comment, signal) => addComment(comment, signal, client),
      async checkCredential(signal) {
        await client.confirmCredential(signal).catch(ignoreRefusal)
      },
      registerHook: (hook, signal) => registerHook(hook, client, signal),
    },
  )
}
