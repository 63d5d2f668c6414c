import type { Tracker } from '../tracker'
import { identityOf, itemPage, parseAddress } from './address'
import { readChanges } from './changes'
import { Client } from './client'
import { openExchange } from './exchange'
import { ItemReader } from './item-reader'
import { defaultLimits, type Limits } from './limits'
import { Metadata } from './metadata'
import { realTiming, type Timing } from './pace'
import { ProjectName } from './project-name'
import type { Proxies } from './proxy'
import { readableItems } from './readable-items'
import { searchItems } from './search'
import { readTree } from './tree'
import { updateItems } from './update-items'

export interface TrackerSettings {
  /** Host and organization: `https://host/organization`. */
  url: string
  /** Null: the only one that the token may see. */
  project: string | null
  /** A personal access token; null where the tracker wants none. */
  token: string | null
  /** Where one is set and must not be sent there: told when the tracker wants it. */
  whyNoToken?: { reason: string; hint: string } | null
  /** What requests to another machine go through. */
  proxy?: Proxies | null
  /** What people are told it is; host and project unless given. */
  name?: string
  /** Where people open items, if that is another address than `url`. */
  webUrl?: string
  userAgent?: string
  limits?: Partial<Limits>
  /** Replaced by tests. */
  timing?: Timing
}

/** Azure DevOps, Services or Server, by its Work Item Tracking REST API. Throws `invalid` for an address that is none. */
export function openAzureDevOpsTracker(settings: TrackerSettings): Tracker {
  const { userAgent = 'story-studio', timing = realTiming } = settings
  const token = settings.token || null
  const address = parseAddress(settings.url)
  const limits = { ...defaultLimits, ...settings.limits }
  const exchange = openExchange({ address, token, proxy: settings.proxy ?? null, userAgent, limits, now: timing.now })
  const asked = { address, hasToken: token !== null, whyNoToken: settings.whyNoToken ?? null }
  const client = new Client({ asked, limits, exchange, timing })
  const project = new ProjectName(settings.project || null, client)
  const metadata = new Metadata(client, project, timing.now)
  const webBase = settings.webUrl === undefined ? address.base : parseAddress(settings.webUrl).base
  const urlOf = (id: number) => itemPage(webBase, project.known, id)
  const reader = new ItemReader({ address, urlOf, client, metadata })
  return {
    get name() {
      return settings.name ?? [address.label, project.known].filter((part) => part !== null).join('/')
    },
    identity: async (signal) => identityOf(address, await project.get(signal)),
    getItem: (id, signal) => reader.one(id, signal),
    getItems: (ids, options) => reader.many(ids, options),
    readItems: (ids, options) => reader.pages(ids, options),
    getShape: (id, signal) => reader.shape(id, signal),
    changesSince: (position, bounds) => readChanges(position, { client, metadata, project }, bounds),
    readableItems: (ids, signal) => readableItems(ids, { client, project }, signal),
    search: (query, signal) => searchItems(query, { address, client, project }, signal),
    getTree: (rootId, signal) => readTree(rootId, { client, project, reader }, signal),
    describeProcess: (signal, parts = ['areas', 'iterations']) => metadata.process(parts, signal),
    listIterations: (signal) => metadata.iterations(signal),
    allowedValues: (typeName, referenceName, signal) => metadata.allowedValues(typeName, referenceName, signal),
    updateItems: (changes, options) => updateItems(changes, options, { client, metadata, reader }),
    itemUrl: urlOf,
    async probe(signal) {
      const name = await project.get(signal)
      await metadata.process([], signal)
      return { project: name, aheadMs: client.onTrackersClock(0) }
    },
    close: () => client.close(),
  }
}
