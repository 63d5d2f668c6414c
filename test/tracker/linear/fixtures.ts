import { expect, onTestFinished } from 'vitest'
import { type AnyOperation, execute } from '../../../src/kernel'
import { openMemoryDatabase } from '../../../src/storage'
import { migrations, openStudio } from '../../../src/studio'
import { openTracker, type Tracker, type TrackerSettings } from '../../../src/tracker'
import { quick } from '../azure-devops/fixtures'
import { type Behaviour, type Stub, type StubRequest, startStub } from '../azure-devops/stub-server'
import { createFakeLinear, type FakeLinear, type FakeLinearOptions } from './fake-linear'

export interface OpenedLinear extends Stub {
  tracker: Tracker
  linear: FakeLinear
}

interface Settings extends Partial<TrackerSettings> {
  answer?(request: StubRequest, linear: FakeLinear): Behaviour | null | Promise<Behaviour | null>
}

/**
 * Opens the adapter on a fake workspace. The test fails if a request contradicts Linear's description of its API. `answer` is called first and
 * returns null for requests that it does not handle.
 */
export async function openLinear(
  options: FakeLinearOptions,
  { answer = () => null, ...settings }: Settings = {},
): Promise<OpenedLinear> {
  const linear = createFakeLinear(options)
  const stub = await startStub(async (request) => (await answer(request, linear)) ?? linear.answer(request))
  const { limits, ...rest } = settings
  const tracker = openTracker({
    kind: 'linear',
    url: stub.url,
    project: 'ENG',
    token: 'secret-token',
    limits: { ...quick, ...limits },
    ...rest,
  })
  onTestFinished(async () => {
    await tracker.close()
    expect(linear.violations).toEqual([])
  })
  return { ...stub, tracker, linear }
}

/** A workspace of the studio in memory over a fake workspace of Linear. */
export async function openLinearWorkspace(options: FakeLinearOptions, settings: Settings = {}) {
  const opened = await openLinear(options, settings)
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

export const isMutation = ({ body }: StubRequest): boolean => /^mutation/.test(body?.query ?? '')

/** Loses the response to the first mutation with this name, after it is executed or instead. */
export const losing = (name: string, isExecuted: boolean) => {
  let isLost = false
  return async (request: StubRequest, linear: FakeLinear): Promise<Behaviour | null> => {
    if (isLost || !isMutation(request) || !request.body.query.includes(` ${name}(`)) return null
    isLost = true
    if (isExecuted) await linear.answer(request)
    return 'reset'
  }
}
