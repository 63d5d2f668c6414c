import { createHmac } from 'node:crypto'
import { connectTrackerHooks } from '../../src/items/operations/connect-tracker-hooks'
import { importSingle } from '../../src/items/operations/import/import-single'
import { listReportedItems } from '../../src/items/queries'
import { type AnyOperation, execute, type Log } from '../../src/kernel'
import { searchWorkspace } from '../../src/search/operations/search-workspace'
import { freePort } from '../free-port'
import type { Faults } from '../sandbox/fault-presets'
import { startTestSandbox } from '../sandbox/test-sandbox'
import { served } from './served'

export const EVENTS = '/api/tracker/hooks/default'

/** A service whose tracker is a sandbox, with one feature imported, which only events update. */
export async function openHookedService({ faults = [], log }: { faults?: Faults; log?: Log } = {}) {
  const sandbox = await startTestSandbox({ faults })
  const port = await freePort()
  const { url, studio, call } = await served({
    env: {
      STUDIO_TRACKER_URL: sandbox.url,
      STUDIO_TRACKER_KIND: 'azure-devops',
      STUDIO_TRACKER_PROJECT: sandbox.project!,
      STUDIO_SYNC_EVERY_MINUTES: 'off',
      STUDIO_PORT: String(port),
      STUDIO_PUBLIC_URL: `http://127.0.0.1:${port}`,
    },
    ...(log && { log }),
  })
  const run = (op: AnyOperation, input: unknown): Promise<any> =>
    execute(op, input, studio.context({ actor: { kind: 'terminal', tenant: 'default' } }))
  const patch = async (path: string, steps: unknown[], method = 'PATCH') => {
    const headers = { 'content-type': 'application/json-patch+json' }
    const body = method === 'DELETE' ? null : JSON.stringify(steps)
    const response = await fetch(`${sandbox.url}${path}?api-version=7.1`, { method, headers, body })
    if (!response.ok) throw new Error(await response.text())
    return (await response.json().catch(() => ({}))) as { id: number }
  }
  const rename = (id: number, title: string) =>
    patch(`/_apis/wit/workitems/${id}`, [{ op: 'add', path: '/fields/System.Title', value: title }])
  const { secret } = await run(connectTrackerHooks, {})
  await run(importSingle, { ids: [202, 204] })
  /** The items that are still to be read. */
  const waiting = () => studio.db.read((tx) => listReportedItems(tx, 'default', 100))
  const send = (event: unknown, given = secret) => {
    const body = JSON.stringify(event)
    const signature = `sha256=${createHmac('sha256', given).update(body).digest('hex')}`
    return call('POST', EVENTS, { body, headers: { 'x-hub-signature-256': signature } })
  }
  const titles = async (q: string) => (await run(searchWorkspace, { q })).results.map(({ id }: { id: number }) => id)
  return { studio, call, url, run, patch, rename, secret, waiting, send, titles, sandbox }
}

/** An event of Azure DevOps. */
export const changed = (id: number, facts = {}) => ({
  eventType: 'workitem.updated',
  resource: { id: 1, workItemId: id, fields: { 'System.Title': { newValue: 'What the event says' } } },
  ...facts,
})
