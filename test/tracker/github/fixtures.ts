import { expect, onTestFinished } from 'vitest'
import { type AnyOperation, execute } from '../../../src/kernel'
import { openMemoryDatabase } from '../../../src/storage'
import { migrations, openStudio } from '../../../src/studio'
import { openTracker, type Tracker, type TrackerSettings } from '../../../src/tracker'
import { quick } from '../azure-devops/fixtures'
import { type Behaviour, type Stub, type StubRequest, startStub } from '../azure-devops/stub-server'
import { createFakeGitHub, type FakeGitHub } from './fake-github'

export interface OpenedGitHub extends Stub {
  tracker: Tracker
  github: FakeGitHub
}

/**
 * Opens the adapter on a fake repository. The test fails if a request or an answer contradicts GitHub's description of its API.
 * `answer` is called first and returns null for requests that it does not handle.
 */
export async function openGitHub(
  options: Parameters<typeof createFakeGitHub>[0],
  {
    answer = () => null,
    ...settings
  }: Partial<TrackerSettings> & {
    answer?(request: StubRequest, github: FakeGitHub): Behaviour | null | Promise<Behaviour | null>
  } = {},
): Promise<OpenedGitHub> {
  const github = createFakeGitHub(options)
  const stub = await startStub(async (request) => (await answer(request, github)) ?? github.answer(request))
  const { limits, ...rest } = settings
  const tracker = openTracker({
    kind: 'github',
    url: stub.url,
    project: 'harbor',
    token: 'secret-token',
    limits: { ...quick, ...limits },
    ...rest,
  })
  onTestFinished(async () => {
    await tracker.close()
    expect(github.violations).toEqual([])
  })
  return { ...stub, tracker, github }
}

/** A workspace in memory over a fake repository. */
export async function openGitHubWorkspace(
  options: Parameters<typeof createFakeGitHub>[0],
  settings: Parameters<typeof openGitHub>[1] = {},
) {
  const github = await openGitHub(options, settings)
  const studio = openStudio({
    env: { STUDIO_HOME: '/nowhere', STUDIO_USER: 'robin' },
    cwd: '/',
    db: await openMemoryDatabase(migrations),
    openTracker: async () => github.tracker,
  })
  onTestFinished(() => studio.close())
  const context = () => studio.context({ actor: { kind: 'terminal', tenant: 'default' } })
  const run = (operation: AnyOperation, input: unknown): Promise<any> => execute(operation, input, context())
  return { ...github, studio, run }
}

export const isMutation = ({ body }: StubRequest): boolean => /^mutation/.test(body?.query ?? '')

/** Loses the response to the first mutation, before or after it is executed. */
export const losing = (how: Behaviour, isExecuted: boolean) => {
  let isLost = false
  return async (request: StubRequest, github: FakeGitHub) => {
    if (isLost || !isMutation(request)) return null
    isLost = true
    if (isExecuted) await github.answer(request)
    return how
  }
}

export const ways: [string, Behaviour][] = [
  ['a reset', 'reset'],
  ['silence', 'silence'],
  ['an answer that is cut', { json: { data: 'x'.repeat(1000) }, cutAfter: 50 }],
  ['502', { status: 502, json: { message: 'Server Error' } }],
  ['504', { status: 504, text: '' }],
]

/** A feature with stories and tasks below it: `stories` × `tasks` + `stories` + 1 issues, from number 1. */
export function createBacklog(
  stories: number,
  tasks: number,
): { number: number; parent: number | null; type: string }[] {
  const issues = [{ number: 1, parent: null as number | null, type: 'Feature' }]
  for (let story = 0; story < stories; story++) {
    const number = issues.length + 1
    issues.push({ number, parent: 1, type: 'Story' })
    for (let task = 0; task < tasks; task++) issues.push({ number: issues.length + 1, parent: number, type: 'Task' })
  }
  return issues
}
