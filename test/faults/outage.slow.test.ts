import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { firstJsonLine, program } from '../contract/program'
import { DC1, load } from '../docks/dock-fixtures'
import { describeWithPostgres } from '../storage/postgres/server'

/** What the test waits for comes in its own time. */
async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 50))
}

async function receiver(): Promise<{ url: string; events: string[] }> {
  const events: string[] = []
  const server = createServer((incoming, outgoing) => {
    let body = ''
    incoming.on('data', (chunk) => {
      body += chunk
    })
    incoming.on('end', () => {
      events.push(body)
      outgoing.end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, events }
}

describeWithPostgres('a service whose server goes away', (server) => {
  it('says so in one line for each work, and goes on when the server is back', async () => {
    const { json, start } = await program()
    const { url: target, events } = await receiver()
    const env = { STUDIO_DB: await server().createDatabase(), STUDIO_WEBHOOK_NETWORKS: '127.0.0.0/8' }
    const more = { env }
    await json(['facility', 'create', '--file', '-'], { ...more, input: JSON.stringify(DC1) })
    await json(['webhook', 'add', target], more)
    const { key } = await json(['tenant', 'key', 'create'], more)
    const running = start(['serve', '--port', '0', '--json', '--log', 'off'], env)
    let errors = ''
    running.stderr!.on('data', (chunk) => {
      errors += chunk
    })
    const { url } = await firstJsonLine(running)
    const book = (referenceNumber: string) =>
      fetch(`${url}/api/appointments/auto-schedule`, {
        method: 'POST',
        headers: { 'x-api-key': key, 'content-type': 'application/json' },
        body: JSON.stringify(load({ referenceNumber, targetDate: '2055-03-02' })),
      })
    expect((await book('BEFORE')).status).toBe(200)
    await until(() => events.some((event) => event.includes('BEFORE')))
    await server().kill()
    await until(() => errors.includes('the delivery of webhooks waits'))
    expect((await book('DURING')).status).toBe(503)
    await server().start()
    let status = 0
    while (status !== 200) status = (await book('AFTER')).status
    await until(() => events.some((event) => event.includes('AFTER')))
    const lines = errors.split('\n').filter((line) => line.includes('ERROR'))
    // The time of day comes first. How many works the outage meets depends on how long it lasts.
    const works = lines.map((line) => line.replace(/^\S+ /, ''))
    for (const work of works) expect(work).toMatch(/^ERROR [^=]+ waits: [^=]+ code=\w+$/)
    expect(works).toEqual([...new Set(works)])
    expect(errors).not.toMatch(/^\s+at |node_modules|dist\/|\.ts:\d|\.cjs|\.js:\d/m)
  })
})
