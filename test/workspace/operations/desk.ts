import { onTestFinished } from 'vitest'
import { type AnyOperation, execute } from '../../../src/kernel'
import { openMemoryDatabase } from '../../../src/storage'
import { migrations, openStudio, type Studio } from '../../../src/studio'
import { openTracker } from '../../../src/tracker'
import { type FaultPlan, type RunningSandbox, startSandbox } from '../../../src/tracker/sandbox'

export interface Desk {
  studio: Studio
  sandbox: RunningSandbox
  /** Runs an operation as the person at this machine. */
  run(op: AnyOperation, input: unknown): Promise<any>
  /** Changes an item in the tracker behind the workspace's back. */
  changeRemotely(id: number, fields: Record<string, unknown>): Promise<void>
}

/** A workspace in memory over a sandbox of its own, both real and both gone at the end of the test. */
export async function openDesk({
  faults,
  env = {},
}: {
  faults?: FaultPlan
  env?: NodeJS.ProcessEnv
} = {}): Promise<Desk> {
  const sandbox = await startSandbox({ file: null, faults })
  const studio = openStudio({
    env: { STUDIO_HOME: '/nowhere', ...env },
    cwd: '/',
    db: await openMemoryDatabase(migrations),
    openTracker: async () => openTracker({ url: sandbox.url, project: sandbox.project, token: null }),
  })
  onTestFinished(async () => {
    await studio.close()
    await sandbox.close()
  })
  const context = () => studio.context({ actor: { kind: 'terminal', tenant: 'default' } })
  return {
    studio,
    sandbox,
    run: (op, input) => execute(op, input, context()),
    changeRemotely: (id, fields) => patch(sandbox, id, fields),
  }
}

async function patch(sandbox: RunningSandbox, id: number, fields: Record<string, unknown>): Promise<void> {
  const response = await fetch(`${sandbox.url}/_apis/wit/workitems/${id}?api-version=7.1`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json-patch+json' },
    body: JSON.stringify(
      Object.entries(fields).map(([name, value]) => ({ op: 'add', path: `/fields/${name}`, value })),
    ),
  })
  if (!response.ok) throw new Error(`the sandbox refused: ${await response.text()}`)
}
