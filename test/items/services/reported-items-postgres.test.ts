import { expect, it, onTestFinished } from 'vitest'
import { connectTrackerHooks } from '../../../src/items/operations/connect-tracker-hooks'
import { listReportedItems } from '../../../src/items/queries'
import { HookReceiver } from '../../../src/items/services/hooks/receive-event'
import { execute } from '../../../src/kernel'
import { openDatabase } from '../../../src/storage'
import { migrations, openStudio } from '../../../src/studio'
import { describeWithPostgres } from '../../storage/postgres/server'

describeWithPostgres('events of a tracker on PostgreSQL', (server) => {
  it('are all counted when two services receive them at once, whatever the order of their items, and none is repeated', async () => {
    const address = await server().createDatabase()
    const env = {
      STUDIO_HOME: '/nowhere',
      STUDIO_TRACKER_URL: 'https://jira.invalid',
      STUDIO_TRACKER_KIND: 'jira',
      STUDIO_TRACKER_PROJECT: 'ABC',
    }
    let writes = 0
    const start = async () => {
      const studio = openStudio({ env, cwd: '/', db: await openDatabase(address, migrations) })
      onTestFinished(() => studio.close())
      const context = studio.context({ actor: { kind: 'terminal', tenant: 'default' } })
      const db: typeof context.db = {
        ...context.db,
        read: (work, options) => context.db.read(work, options),
        write: (work, options) =>
          context.db.write((tx) => {
            writes += 1
            return work(tx)
          }, options),
      }
      return { context, receiver: new HookReceiver({ ...context, db }, () => {}) }
    }
    const services = [await start(), await start()] as const
    const { context } = services[0]
    await execute(connectTrackerHooks, { url: 'https://studio.example.com' }, context)
    const send = (i: number) => {
      const issueLink =
        i % 2 === 0 ? { sourceIssueId: 1, destinationIssueId: 2 } : { sourceIssueId: 2, destinationIssueId: 1 }
      const body = Buffer.from(JSON.stringify({ timestamp: i, issueLink }))
      return services[i % 3 === 0 ? 0 : 1].receiver.accept('default', {
        header: () => null,
        secretInAddress: null,
        body,
      })
    }
    await Promise.all(Array.from({ length: 60 }, (_, i) => send(i)))
    const reported = await context.db.read((tx) => listReportedItems(tx, 'default', 10))
    expect(reported.map(({ key, reports }) => [key, reports])).toEqual([
      ['1', 60],
      ['2', 60],
    ])
    // A transaction that another one got in the way of would run again.
    expect(writes).toBe(60)
  })
})
