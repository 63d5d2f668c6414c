import { expect, onTestFinished } from 'vitest'
import { type AnyOperation, execute } from '../../../src/kernel'
import { openMemoryDatabase } from '../../../src/storage'
import { migrations, openStudio } from '../../../src/studio'
import { openTracker, type Tracker, type TrackerSettings } from '../../../src/tracker'
import { quick } from '../azure-devops/fixtures'
import { type Behaviour, type Stub, type StubRequest, startStub } from '../azure-devops/stub-server'
import { createFakeGitLab, type FakeGitLab } from './fake-gitlab'
import type { FakeGitLabOptions } from './fake-item'

type Answer = (request: StubRequest, gitlab: FakeGitLab) => Behaviour | null | Promise<Behaviour | null>

export interface OpenedGitLab extends Stub {
  tracker: Tracker
  gitlab: FakeGitLab
}

/**
 * Opens the adapter on a fake project. The test fails if a request or an answer contradicts GitLab's description of its API. `answer` is
 * called first and returns null for requests that it does not handle.
 */
export async function openGitLab(
  options: FakeGitLabOptions,
  { answer = () => null, ...settings }: Partial<TrackerSettings> & { answer?: Answer } = {},
): Promise<OpenedGitLab> {
  const gitlab = createFakeGitLab(options)
  const stub = await startStub(async (request) => {
    // The API is at the host, and the project of the tests is below the first part of the path.
    const own = { ...request, rawUrl: request.rawUrl.replace('%2Fharbor', '/works%2Fharbor') }
    return (await answer(own, gitlab)) ?? gitlab.answer(own)
  })
  const { limits, ...rest } = settings
  const tracker = openTracker({
    kind: 'gitlab',
    url: stub.url,
    project: 'harbor',
    token: 'secret-token',
    limits: { ...quick, ...limits },
    ...rest,
  })
  onTestFinished(async () => {
    await tracker.close()
    expect(gitlab.violations).toEqual([])
  })
  return { ...stub, tracker, gitlab }
}

/** A workspace in memory over a fake project. */
export async function openGitLabWorkspace(options: FakeGitLabOptions, settings: Parameters<typeof openGitLab>[1] = {}) {
  const opened = await openGitLab(options, settings)
  const studio = openStudio({
    env: { STUDIO_HOME: '/nowhere', STUDIO_USER: 'robin' },
    cwd: '/',
    db: await openMemoryDatabase(migrations),
    openTracker: async () => opened.tracker,
  })
  onTestFinished(() => studio.close())
  const context = () => studio.context({ actor: { kind: 'terminal', tenant: 'default' } })
  const run = (operation: AnyOperation, input: unknown): Promise<any> => execute(operation, input, context())
  return { ...opened, studio, run }
}

export const isChange = ({ method, body, rawUrl }: StubRequest): boolean =>
  /^mutation/.test(body?.query ?? '') || (method !== 'GET' && rawUrl.startsWith('/api/v4/'))

/** Loses the response to a change, before or after it is executed. */
export const losing = (how: Behaviour, isExecuted: boolean, isLost = isChange) => {
  let left = 1
  return async (request: StubRequest, gitlab: FakeGitLab) => {
    if (left === 0 || !isLost(request)) return null
    left -= 1
    if (isExecuted) await gitlab.answer(request)
    return how
  }
}

export const ways: [string, Behaviour][] = [
  ['a reset', 'reset'],
  ['an answer that is cut', { json: { data: 'x'.repeat(1000) }, cutAfter: 50 }],
  ['502', { status: 502, text: '<html><body>GitLab is not responding</body></html>' }],
  ['504', { status: 504, text: '' }],
]

/** An epic with issues and tasks below it: `issues` × `tasks` + `issues` + 1 items, from number 1. */
export function createBacklog(issues: number, tasks: number): { id: number; parent: number | null; type: string }[] {
  const items = [{ id: 1, parent: null as number | null, type: 'Epic' }]
  for (let issue = 0; issue < issues; issue++) {
    const id = items.length + 1
    items.push({ id, parent: 1, type: 'Issue' })
    for (let task = 0; task < tasks; task++) items.push({ id: items.length + 1, parent: id, type: 'Task' })
  }
  return items
}
