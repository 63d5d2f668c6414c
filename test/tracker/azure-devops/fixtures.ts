import { expect, onTestFinished } from 'vitest'
import type { TrackerSettings } from '../../../src/tracker'
import { openTracker, type Tracker } from '../../../src/tracker'
import type { WireBacklog } from '../../../src/tracker/azure-devops/wire-schemas'
import type { RequestLimits, Timing } from '../../../src/tracker/services/requests/rate-limiter'
import { findMismatches } from './published-api/check-calls'
import { type Behaviour, type Reply, type Stub, type StubRequest, startStub } from './stub-server'

export const never = new AbortController().signal

/** The usual number of attempts with very short waits. */
export const quick: Partial<RequestLimits> = { baseBackoffMs: 1, maxBackoffMs: 2 }

/** A clock that advances only by sleeping. */
export function createFakeTiming(): Timing & { slept: number[] } {
  let now = Date.UTC(2026, 0, 5, 12)
  const slept: number[] = []
  return {
    slept,
    now: () => now,
    random: () => 0.5,
    async sleep(ms, signal) {
      signal.throwIfAborted()
      slept.push(ms)
      now += ms
    },
  }
}

export interface WireItemParts {
  id: number
  rev?: number
  fields?: Record<string, unknown>
  relations?: { rel: string; url: string; attributes?: Record<string, unknown> }[]
  multilineFieldsFormat?: Record<string, string>
}

/** An item in the format of the API. */
export function wireItem({ id, rev = 1, fields = {}, ...rest }: WireItemParts) {
  return {
    id,
    rev,
    fields: {
      'System.TeamProject': 'Parts Shop',
      'System.AreaPath': 'Parts Shop',
      'System.IterationPath': 'Parts Shop\\Sprint 1',
      'System.WorkItemType': 'User Story',
      'System.State': 'New',
      'System.Title': `Item ${id}`,
      'System.CreatedDate': '2025-11-03T08:15:30.05Z',
      'System.ChangedDate': '2025-11-04T09:00:00.123Z',
      ...fields,
    },
    ...rest,
    url: `https://tracker.example/works/_apis/wit/workItems/${id}`,
  }
}

export function link(rel: string, id: number) {
  return {
    rel: `System.LinkTypes.${rel}`,
    url: `https://tracker.example/works/_apis/wit/workItems/${id}`,
    attributes: { isLocked: false },
  }
}

export const listOf = (value: unknown[]) => ({ count: value.length, value })

/** An error body in the format of the API. */
export function errorBody(typeKey: string, message: string, more: Record<string, unknown> = {}) {
  const typeName = `Tracker.Server.${typeKey}, Tracker.Server`
  return { $id: '1', innerException: null, message, typeName, typeKey, errorCode: 0, eventId: 3200, ...more }
}

export const noSuchItem = (id: number): Reply => ({
  status: 404,
  json: errorBody(
    'WorkItemUnauthorizedAccessException',
    `TF401232: Work item ${id} does not exist, or you do not have permissions to read it.`,
  ),
})

export const types = listOf([
  {
    name: 'Feature',
    referenceName: 'Shop.Feature',
    color: '773B93',
    states: [
      { name: 'New', color: 'b2b2b2', category: 'Proposed' },
      { name: 'Done', color: '339933', category: 'Completed' },
    ],
    fields: [field('System.Title', 'Title'), field('System.State', 'State')],
  },
  {
    name: 'User Story',
    referenceName: 'Shop.UserStory',
    color: '009CCC',
    states: [
      { name: 'New', color: 'b2b2b2', category: 'Proposed' },
      { name: 'Active', color: '007acc', category: 'InProgress' },
      { name: 'Resolved', color: 'ff9d00', category: 'Resolved' },
      { name: 'Closed', color: '339933', category: 'Completed' },
      { name: 'Removed', color: 'ffffff', category: 'Removed' },
    ],
    fields: [
      field('System.Title', 'Title'),
      field('System.State', 'State'),
      field('System.AssignedTo', 'Assigned To'),
      field('System.Tags', 'Tags'),
      field('Shop.Size', 'Size'),
    ],
  },
])

function field(referenceName: string, name: string) {
  return { referenceName, name, alwaysRequired: false }
}

export const backlog: WireBacklog = {
  taskBacklog: { id: 'Shop.TaskCategory', rank: 1, workItemTypes: [{ name: 'Task' }] },
  requirementBacklog: { id: 'Shop.StoryCategory', rank: 2, workItemTypes: [{ name: 'User Story' }] },
  portfolioBacklogs: [
    { id: 'Shop.EpicCategory', rank: 4, workItemTypes: [{ name: 'Epic' }] },
    { id: 'Shop.FeatureCategory', rank: 3, workItemTypes: [{ name: 'Feature' }] },
  ],
  workItemTypeMappedStates: [
    { workItemTypeName: 'User Story', states: { New: 'Proposed', Resolved: 'InProgress', Closed: 'Completed' } },
    { workItemTypeName: 'Defect', states: { Open: 'Proposed', Fixed: 'Completed' } },
  ],
  backlogFields: { typeFields: { Order: 'Shop.Rank', Effort: 'Shop.Size' } },
  bugsBehavior: 'asTasks',
}

export interface Stubbed extends Stub {
  tracker: Tracker
}

/** A tracker on a stub with a process; `answer` is called first and returns null for requests that it does not handle. */
export async function openStubbed(
  answer: (request: StubRequest) => Behaviour | null | Promise<Behaviour | null>,
  settings: Partial<TrackerSettings> = {},
): Promise<Stubbed> {
  const mismatches: string[] = []
  const stub = await startStub(async (request) => {
    const sent = { ...request, url: `/works${request.rawUrl}` }
    mismatches.push(...findMismatches(sent, null))
    return (await answer(request)) ?? aboutProcess(request)
  })
  onTestFinished(() => expect(mismatches).toEqual([]))
  const { limits, ...rest } = settings
  const tracker = openTracker({
    url: stub.url,
    project: 'Parts Shop',
    token: 'secret-token',
    limits: { ...quick, ...limits },
    ...rest,
  })
  return { ...stub, tracker }
}

function aboutProcess({ path }: StubRequest): Reply {
  if (path.endsWith('/_apis/wit/workitemtypes')) return { json: types }
  if (path.endsWith('/_apis/work/backlogconfiguration')) return { json: backlog }
  return { status: 404, json: errorBody('VssResourceNotFoundException', `No route for ${path}.`) }
}

/** Responds to batch requests with the items of a list, and omits missing ones. */
export function batchOf(items: readonly WireItemParts[]) {
  return ({ path, body }: StubRequest): Reply | null => {
    if (path !== '/_apis/wit/workitemsbatch') return null
    const found = items.filter((item) => body.ids.includes(item.id)).map(wireItem)
    return { json: listOf(found) }
  }
}

/** The error that a promise is rejected with. */
export async function errorOf(promise: Promise<unknown>): Promise<any> {
  return promise.then(
    () => {
      throw new Error('it was expected to fail')
    },
    (error) => error,
  )
}
