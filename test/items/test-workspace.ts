import { onTestFinished } from 'vitest'
import { type AnyOperation, type Clock, execute } from '../../src/kernel'
import type { SandboxState } from '../../src/sandbox'
import { type Database, openMemoryDatabase } from '../../src/storage'
import { migrations, openStudio, type Studio, type StudioOptions } from '../../src/studio'
import { openTracker } from '../../src/tracker'
import type { Faults } from '../sandbox/fault-presets'
import type { TestSandbox } from '../sandbox/test-sandbox'
import { startCheckedSandbox } from '../tracker/azure-devops/published-api/check-calls'

export interface TestWorkspace {
  studio: Studio
  sandbox: TestSandbox
  /** Runs an operation as the person at this machine. */
  run(op: AnyOperation, input: unknown): Promise<any>
  /** Changes an item in the tracker only. */
  changeRemotely(id: number, fields: Record<string, unknown>): Promise<void>
  /** Makes the same change to up to 200 items. */
  changeManyRemotely(ids: readonly number[], fields: Record<string, unknown>): Promise<void>
  /** Adds a link, which makes no new revision of the item at its other end. */
  linkRemotely(id: number, rel: string, otherId: number): Promise<void>
  removeRemotely(id: number): Promise<void>
  /** The requests to the tracker since the last call: `GET /Harbor/_apis/…`, without queries. */
  asked(): string[]
}

/** A workspace in memory over its own sandbox. Both are real and closed at the end of the test. */
export async function openTestWorkspace({
  faults = [],
  seed,
  env = {},
  clock,
  db,
  furtherTrackers = [],
}: {
  faults?: Faults
  /** The initial items of the tracker (default: the sample backlog). */
  seed?: SandboxState
  env?: NodeJS.ProcessEnv
  /** Default: the clock of the machine. */
  clock?: Clock
  /** Default: one in memory. */
  db?: Database
  furtherTrackers?: StudioOptions['furtherTrackers']
} = {}): Promise<TestWorkspace> {
  const sandbox = await startCheckedSandbox({ faults, seed })
  const studio = openStudio({
    env: { STUDIO_HOME: '/nowhere', ...env },
    cwd: '/',
    clock,
    ...(furtherTrackers && { furtherTrackers }),
    db: db ?? (await openMemoryDatabase(migrations)),
    openTracker: async () =>
      openTracker({
        url: sandbox.url,
        project: sandbox.project,
        token: null,
        limits: { baseBackoffMs: 1, maxBackoffMs: 2 },
      }),
  })
  onTestFinished(() => studio.close())
  const context = () => studio.context({ actor: { kind: 'terminal', tenant: 'default' } })
  return {
    studio,
    sandbox,
    run: (op, input) => execute(op, input, context()),
    changeRemotely: (id, fields) => send(sandbox, id, stepsFor(fields)),
    changeManyRemotely: (ids, fields) => sendMany(sandbox, ids, stepsFor(fields)),
    linkRemotely: (id, rel, otherId) =>
      send(sandbox, id, [
        { op: 'add', path: '/relations/-', value: { rel, url: `${sandbox.url}/_apis/wit/workItems/${otherId}` } },
      ]),
    removeRemotely: (id) => send(sandbox, id, null),
    asked: () =>
      sandbox.requests.splice(0).map(({ method, path }) => `${method} ${path.replace(/\?.*$/, '').slice(1)}`),
  }
}

function stepsFor(fields: Record<string, unknown>) {
  return Object.entries(fields).map(([name, value]) => ({ op: 'add', path: `/fields/${name}`, value }))
}

async function sendMany(sandbox: TestSandbox, ids: readonly number[], steps: unknown[]): Promise<void> {
  const headers = { 'Content-Type': 'application/json-patch+json' }
  const parts = ids.map((id) => ({
    method: 'PATCH',
    uri: `/_apis/wit/workitems/${id}?api-version=7.1`,
    headers,
    body: steps,
  }))
  const response = await fetch(`${sandbox.url}/_apis/wit/$batch?api-version=7.1`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(parts),
  })
  const { value } = (await response.json()) as { value?: { code: number }[] }
  if (!value?.every(({ code }) => code === 200)) throw new Error('the sandbox refused a change of the batch')
  sandbox.requests.length = 0
}

/** Sends a patch, or a removal if there are no steps. */
async function send(sandbox: TestSandbox, id: number, steps: unknown[] | null): Promise<void> {
  const response = await fetch(`${sandbox.url}/_apis/wit/workitems/${id}?api-version=7.1`, {
    method: steps ? 'PATCH' : 'DELETE',
    ...(steps ? { headers: { 'content-type': 'application/json-patch+json' }, body: JSON.stringify(steps) } : {}),
  })
  if (!response.ok) throw new Error(`the sandbox refused: ${await response.text()}`)
  sandbox.requests.length = 0
}
