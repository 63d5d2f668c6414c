import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { expectValidMetrics } from '../http/valid-metrics'
import { describeWithPostgres } from '../storage/postgres/server'
import { firstJsonLine, type Program, program } from './program'

/** The built program with these variables, whatever it is told to do. */
async function programWith(env: Record<string, string>): Promise<Program> {
  const studio = await program()
  return {
    ...studio,
    run: (args, more) => studio.run(args, { ...more, env: { ...env, ...more?.env } }),
    json: (args, more) => studio.json(args, { ...more, env: { ...env, ...more?.env } }),
    start: (args, more) => studio.start(args, { ...env, ...more }),
  }
}

const facility = (queue: string, ...more: string[]) => [
  ...'facility create --code DC1 --name North --time-zone America/Chicago --door One --queue'.split(' '),
  queue,
  ...more,
]
const ALL_WEEK = 'mon-fri 06:00-18:00'
const ONE_HOUR = ['mon 06:00-07:00', '--no-rollover'] as const
const booking = (reference: string) => ({
  facilityCode: 'DC1',
  type: 'delivery',
  carrierName: 'Acme',
  referenceNumber: reference,
  targetDate: '2055-03-01',
  durationMinutes: 60,
})
const book = (reference: string) =>
  `book --facility DC1 --type delivery --carrier Acme --reference ${reference} --date 2055-03-01 --duration 60`.split(
    ' ',
  )

interface Service {
  url: string
  call(method: string, path: string, body?: unknown): Promise<{ status: number; body: any; retryAfter: string | null }>
}

/** A `serve` process of its own, called with a tenant's key. */
async function service(studio: Program, key: string): Promise<Service> {
  const { url } = await firstJsonLine(studio.start(['serve', '--port', '0', '--json', '--quiet']))
  return {
    url,
    async call(method, path, body) {
      const headers = { 'x-api-key': key, ...(body === undefined ? {} : { 'content-type': 'application/json' }) }
      const response = await fetch(url + path, { method, headers, body: JSON.stringify(body) })
      return { status: response.status, body: await response.json(), retryAfter: response.headers.get('retry-after') }
    },
  }
}

describeWithPostgres('studio on PostgreSQL', (server) => {
  const programOnServer = async () => programWith({ STUDIO_DB: await server().createDatabase() })

  it('does on the command line what it does on a file', async () => {
    const studio = await programOnServer()
    const { imported } = await studio.json(['import', '101'])
    expect(await studio.json(['item', 'list'])).toHaveLength(imported)
    expect((await studio.json(['search', 'door', '--limit', '2'])).results).toHaveLength(2)
    expect(await studio.json(['copy-sanitize', '204'])).toMatchObject({ id: 1, folderId: 1, sourceItemId: 204 })
    expect(await studio.json(['folder', 'list'])).toEqual([{ id: 1, name: 'Drafts', parentId: null, draftCount: 1 }])
    expect((await studio.json(['batch-update', '343', '--set', 'priority=1'])).applied).toBe(1)
    expect((await studio.json(['brief'])).markdown).toContain('#101')
    await studio.json(facility(ALL_WEEK))
    const { data } = await studio.json(book('PO-1'))
    expect(data.startTime).toBe('2055-03-01T12:00:00.000Z')
    expect((await studio.json(['reschedule', data.id, '--date', '2055-03-02'])).data.startTime).toContain('2055-03-02')
    await studio.json(['appointment', 'cancel', data.id])
    expect(await studio.json(['appointment', 'get', data.id])).toMatchObject({ status: 'cancelled' })
  })

  it('offers the metrics of its own process while the server is away', async () => {
    const address = await server().createDatabase()
    const studio = await programWith({ STUDIO_DB: address })
    const { key } = await studio.json(['tenant', 'key', 'create'])
    const { url } = await service({ ...studio, start: (args) => studio.start(args, { STUDIO_METRICS: 'on' }) }, key)
    const metrics = async () => (await fetch(`${url}/metrics`)).text()
    await expect.poll(metrics).toContain('studio_database_up 1')
    await server().kill()
    const without = await metrics()
    await server().start()
    expectValidMetrics(without)
    expect(without).toContain('studio_database_up 0')
    expect(without).toMatch(/studio_database_pool_connections\{state="used"\} \d/)
    expect(without).not.toMatch(/^studio_database_connections /m)
    await expect.poll(metrics).toContain('studio_database_up 1')
  })

  it('reads from a replica, and shows the state of the servers', async () => {
    const replica = await server().startReplica()
    const address = await server().createDatabase()
    const studio = await programWith({ STUDIO_DB: address, STUDIO_DB_READ: replica.addressOf(address) })
    await studio.json(facility(ALL_WEEK))
    const { key } = await studio.json(['tenant', 'key', 'create'])
    const { url, call } = await service(
      { ...studio, start: (args) => studio.start(args, { STUDIO_METRICS: 'on' }) },
      key,
    )
    for (const reference of ['PO-1', 'PO-2', 'PO-3']) {
      expect((await call('POST', '/api/appointments/auto-schedule', booking(reference))).status).toBe(200)
      const list = '/api/appointments?facility_code=DC1&start_date=2055-03-01&end_date=2055-03-31'
      expect((await call('GET', list)).body.map((found: any) => found.referenceNumber)).toContain(reference)
    }
    const connections = await replica.query("select 1 from pg_stat_activity where application_name = 'studio'")
    expect(connections).not.toHaveLength(0)
    const readMetrics = async () => (await fetch(`${url}/metrics`)).text()
    // On a busy machine, a replica may be so far behind for a moment that it runs no reads.
    let metrics = ''
    await expect
      .poll(async () => {
        metrics = await readMetrics()
        return metrics
      })
      .toMatch(/studio_database_replica_ready\{replica="127.0.0.1:\d+"\} 1/)
    expectValidMetrics(metrics)
    expect(metrics).toContain('studio_database_up 1')
    expect(metrics).toMatch(/studio_database_pool_connections\{state="idle"\} [1-9]/)
    expect(metrics).toMatch(/studio_database_replication_lag_bytes\{standby="walreceiver"\} \d/)
    const messages = async () =>
      (await studio.json(['doctor', '--offline'])).findings.map(({ message }: { message: string }) => message)
    await expect
      .poll(messages)
      .toEqual(
        expect.arrayContaining([
          expect.stringMatching(/^walreceiver copies it asynchronously: /),
          expect.stringMatching(/^127.0.0.1:\d+ runs reads.$/),
          expect.stringMatching(
            /^\d+ of the server's 200 connections are in use\. Each process of studio opens up to 10\.$/,
          ),
          'No transaction has been open for more than a minute.',
          expect.stringMatching(/^All \d+ indexes exist.$/),
        ]),
      )
    await server().query('drop index appointment_by_reference', new URL(address).pathname.slice(1))
    await replica.kill()
    expect(await messages()).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^The replica 127.0.0.1:\d+ does not answer/),
        '1 index missing or incomplete: appointment_by_reference.',
      ]),
    )
  })

  it('splits the appointments into partitions, and copies them to another database', async () => {
    const studio = await programOnServer()
    await studio.json(facility(ALL_WEEK))
    const { data } = await studio.json(book('PO-1'))
    const unsure = await studio.run(['db', 'partition', '--no-input'])
    expect(unsure).toMatchObject({ exitCode: 2, err: expect.stringContaining('--yes') })
    expect((await studio.run(['db', 'partition', '--dry-run'])).out).toBe(
      'Dry run: the appointments would be copied from one table into 16 partitions.\n',
    )
    expect(await studio.json(['db', 'partition', '--partitions', '4', '--yes'])).toEqual({
      partitions: 4,
      before: 0,
      appointments: 1,
      dryRun: false,
    })
    expect(await studio.json(['appointment', 'get', data.id])).toMatchObject({ referenceNumber: 'PO-1' })
    expect(
      (await studio.json(['doctor', '--offline'])).findings.filter(({ level }: any) => level === 'problem'),
    ).toEqual([])
    const address = await server().createDatabase()
    await studio.json(['db', 'migrate', '--to', address])
    const onFile = await (await program()).run(['db', 'partition', '--yes'])
    expect(onFile).toMatchObject({ exitCode: 2, err: expect.stringContaining('STUDIO_DB') })
  })

  it('gives the last slot to one of two processes that ask at once', async () => {
    const studio = await programOnServer()
    await studio.json(facility(...ONE_HOUR))
    const both = await Promise.all(['PO-1', 'PO-2'].map((reference) => studio.run([...book(reference), '--json'])))
    expect(both.map(({ exitCode }) => exitCode).sort()).toEqual([0, 2])
    expect(JSON.parse(both.find(({ exitCode }) => exitCode === 2)!.err)).toMatchObject({ code: 'fully_booked' })
  })

  it('creates the schema once when processes start concurrently', async () => {
    const studio = await programOnServer()
    const lists = await Promise.all([1, 2, 3].map(() => studio.json(['folder', 'list'])))
    for (const list of lists) expect(list).toHaveLength(1)
  })

  it('books by several services at once, each slot once', async () => {
    const studio = await programOnServer()
    await studio.json(facility(ALL_WEEK))
    const { key } = await studio.json(['tenant', 'key', 'create'])
    const services = await Promise.all([1, 2, 3].map(() => service(studio, key)))
    const answers = await Promise.all(
      Array.from({ length: 36 }, (_, i) =>
        services[i % 3]!.call('POST', '/api/appointments/auto-schedule', booking(`PO-${i}`)),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(36).fill(200))
    const slots = answers.map(({ body }) => body.data.startTime)
    expect(new Set(slots).size).toBe(36)
    const listed = await services[0]!.call(
      'GET',
      '/api/appointments?facility_code=DC1&start_date=2055-03-01&end_date=2055-03-31',
    )
    expect(listed.body.map((appointment: any) => appointment.startTime)).toEqual(slots.sort())
  })

  it('answers 503 while the server is away, and as before when it is back', async () => {
    const studio = await programOnServer()
    await studio.json(facility(ALL_WEEK))
    const { key } = await studio.json(['tenant', 'key', 'create'])
    const { url, call } = await service(studio, key)
    const first = await call('POST', '/api/appointments/auto-schedule', booking('PO-1'))
    expect(first.status).toBe(200)
    await server().kill()
    for (const [method, path, body] of [
      ['POST', '/api/appointments/auto-schedule', booking('PO-2')],
      ['GET', '/api/appointments?facility_code=DC1', undefined],
      ['GET', '/api/stories/saved', undefined],
    ] as const) {
      const answer = await call(method, path, body)
      expect(answer).toMatchObject({ status: 503, retryAfter: '1', body: { status: 'error', code: 'unavailable' } })
    }
    expect((await fetch(`${url}/api/health`)).status).toBe(200)
    await server().start()
    const again = await call('GET', `/api/appointments/${first.body.data.id}`)
    expect(again).toMatchObject({ status: 200, body: { status: 'scheduled' } })
    expect((await call('POST', '/api/appointments/auto-schedule', booking('PO-2'))).status).toBe(200)
  })

  it('moves there and back by the command, with every row', async () => {
    const studio = await program()
    await studio.json(['import', '101'])
    await studio.json(facility(ALL_WEEK))
    await studio.json(book('PO-1'))
    const items = await studio.json(['item', 'list'])
    const address = await server().createDatabase()

    const there = await studio.json(['db', 'migrate', '--to', address])
    expect(there.to).not.toContain('studio_test')
    const onServer = { env: { STUDIO_DB: address } }
    expect(await studio.json(['item', 'list'], onServer)).toEqual(items)
    const refused = await studio.run(['db', 'migrate', '--to', address])
    expect(refused).toMatchObject({ exitCode: 5, err: expect.stringContaining('not empty') })

    const back = await studio.json(['db', 'migrate'], { env: { STUDIO_DB: address, STUDIO_DB_TO: 'back.db' } })
    expect(back.tables).toEqual(there.tables)
    expect(await studio.json(['item', 'list'], { env: { STUDIO_DB: 'back.db' } })).toEqual(items)
  })

  describe('a password', () => {
    it('comes from the address, from PGPASSWORD, or from a file', async () => {
      await server().query("create role guarded superuser login password 'correct-horse'")
      const guarded = (await server().createDatabase()).replace('studio_test@', 'guarded@')
      const studio = await program()
      const withPassword = { STUDIO_DB: guarded.replace('guarded@', 'guarded:correct-horse@') }
      expect((await studio.run(['folder', 'list'], { env: withPassword })).exitCode).toBe(0)
      const inVariable = { STUDIO_DB: guarded, PGPASSWORD: 'correct-horse' }
      expect((await studio.run(['folder', 'list'], { env: inVariable })).exitCode).toBe(0)
      const file = join(studio.home, 'password')
      writeFileSync(file, 'correct-horse\n')
      const inFile = { STUDIO_DB: guarded, STUDIO_DB_PASSWORD_FILE: file }
      expect(await studio.run(['folder', 'list'], { env: inFile })).toMatchObject({ exitCode: 0, err: '' })
      const missing = { ...inFile, STUDIO_DB_PASSWORD_FILE: `${file}2` }
      expect((await studio.run(['folder', 'list'], { env: missing })).err).toMatch(
        /password2 cannot be read \(ENOENT\)/,
      )
      const ofPostgres = join(studio.home, 'pgpass')
      writeFileSync(ofPostgres, '127.0.0.1:*:*:guarded:correct-horse\n', { mode: 0o600 })
      const inPassfile = { STUDIO_DB: guarded, PGPASSFILE: ofPostgres }
      expect(await studio.run(['folder', 'list'], { env: inPassfile })).toMatchObject({ exitCode: 0, err: '' })
      const wrong = await studio.run(['folder', 'list'], {
        env: { ...inVariable, PGPASSWORD: 'hunter2', STUDIO_DEBUG: '1' },
      })
      expect(wrong).toMatchObject({ exitCode: 7, out: '' })
      expect(wrong.err).toContain('PGPASSWORD')
      expect(wrong.err).not.toContain('hunter2')
    })
  })
})

describe('an address of a database', () => {
  it.each([
    ['postgres://me:hunter2@127.0.0.1:1/db', 7, '127.0.0.1:1/db'],
    ['postgres://me:hun/ter2@127.0.0.1:1/db', 2, '%2F'],
    ['mysql://me:hunter2@127.0.0.1:1/db', 2, 'postgres://'],
  ])('of no database gets an error with a hint and without its password: %s', async (address, exitCode, fix) => {
    const studio = await programWith({ STUDIO_DB: address, STUDIO_DEBUG: '1' })
    const ran = await studio.run(['draft', 'list'])
    expect(ran).toMatchObject({ exitCode, out: '', err: expect.stringContaining(fix) })
    expect(ran.err).not.toMatch(/hunter2|hun\/ter2/)
  })

  it('to move to is refused with a password in it', async () => {
    const studio = await program()
    const { exitCode, err } = await studio.run(['db', 'migrate', '--to', 'postgres://me:hunter2@db.example.com/studio'])
    expect(exitCode).toBe(2)
    expect(err).toContain('STUDIO_DB_TO')
    expect(err).not.toContain('hunter2')
  })
})
