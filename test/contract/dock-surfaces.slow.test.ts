import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { firstJsonLine, type Program, program } from './program'

const CREATE = [
  ...['facility', 'create', '--code', 'DC1', '--name', 'North', '--time-zone', 'America/Chicago'],
  ...['--queue', 'mon-fri 06:00-18:00', '--door', 'Door 1', '--door', 'Door 2'],
]
const book = (reference: string, ...more: string[]) => [
  ...['book', '--facility', 'DC1', '--type', 'delivery', '--carrier', 'Acme', '--reference', reference],
  ...['--date', '2055-03-01', ...more],
]

async function withFacility(): Promise<Program> {
  const studio = await program()
  await studio.json(CREATE)
  return studio
}

/** A server with a key, and a way to call it that keeps status, body and headers. */
async function served(studio: Program) {
  const { key } = await studio.json(['tenant', 'key', 'create'])
  const start = async () => (await firstJsonLine(studio.start(['serve', '--port', '0', '--json']))).url as string
  const call = async (url: string, method: string, body?: unknown, headers: Record<string, string> = {}) => {
    const response = await fetch(url, {
      method,
      headers: { 'x-api-key': key, 'content-type': 'application/json', ...headers },
      body: body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body),
    })
    return {
      status: response.status,
      body: (await response.json()) as any,
      replayed: response.headers.get('idempotent-replayed'),
    }
  }
  return { start, call }
}

const BOOKING = {
  facilityCode: 'DC1',
  type: 'pickup',
  carrierName: 'Acme',
  referenceNumber: 'BOL-1',
  targetDate: '2055-03-01',
}

describe('a facility in a file', () => {
  it('is refused by the rows and fields of the file, and by flags only for what was typed', async () => {
    const studio = await program()
    const facility = {
      name: 'North',
      timeZone: 'America/Chicago',
      queues: [
        { days: ['mon'], start: '06:00', end: '18:00' },
        { days: ['tue'], start: '6', end: '18:00' },
      ],
      doors: [{ name: 'Door 1', types: ['truck'] }],
    }
    const file = join(studio.home, 'facility.json')
    await writeFile(file, JSON.stringify(facility))
    const { exitCode, err } = await studio.run(['facility', 'create', '--file', file, '--min-minutes', '0'])
    expect(exitCode).toBe(2)
    for (const place of [
      'code: is required',
      'queues[1].start: must be',
      'doors[0].types[0]: must be',
      '--min-minutes: must be',
    ])
      expect(err).toContain(place)
    expect(err).not.toMatch(/--(queue|door|code)/)
    expect(err).toContain(`Correct ${file}`)
  })
})

describe('the day of a truck', () => {
  it('is recorded over HTTP and shown in the terminal, with the key that did it', async () => {
    const studio = await withFacility()
    const { start, call } = await served(studio)
    const url = await start()
    const { id } = (await call(`${url}/api/appointments/auto-schedule`, 'POST', BOOKING)).body.data
    const post = (path: string, body: unknown) => call(`${url}/api/appointments/${id}/${path}`, 'POST', body)
    const truck = { driverName: 'Ana Ruiz' }
    expect(await post('check-in', truck)).toMatchObject({ status: 409, body: { code: 'invalid_state' } })
    const checkedIn = await post('check-in', { ...truck, early: true })
    expect(checkedIn).toMatchObject({ status: 200, body: { data: { status: 'scheduled', step: 'checked_in' } } })
    expect(await post('steps', { step: 'no_show' })).toMatchObject({ status: 409, body: { code: 'invalid_state' } })
    expect(await post('steps', { step: 'departed' })).toMatchObject({ status: 409 })
    expect(await post('steps', { step: 'at_door' })).toMatchObject({ status: 200 })
    expect(await post('undo-step', {})).toMatchObject({ status: 200, body: { data: { step: 'checked_in' } } })
    const { out } = await studio.run(['appointment', 'history', id])
    expect(out).toMatch(/booked, by key studio_key_\w+\n.* checked in, by key .*\n +driver Ana Ruiz\n/)
  })
})

describe('Idempotency-Key', () => {
  it('gives the first answer again, in every process and after a restart', async () => {
    const studio = await withFacility()
    const { start, call } = await served(studio)
    const [one, other] = [await start(), await start()]
    const send = (url: string, body: unknown = BOOKING, key = 'a-1') =>
      call(`${url}/api/appointments/auto-schedule`, 'POST', body, { 'idempotency-key': key })
    const first = await send(one)
    expect(first).toMatchObject({ status: 200, replayed: null })
    expect(await send(one)).toEqual({ ...first, replayed: 'true' })
    expect(await send(other, JSON.stringify(BOOKING, null, 2))).toEqual({ ...first, replayed: 'true' })
    expect(await send(await start())).toEqual({ ...first, replayed: 'true' })
    expect(await send(other, { ...BOOKING, type: 'delivery' })).toMatchObject({
      status: 409,
      body: { code: 'conflict' },
    })
    expect(await send(other, BOOKING, 'a-2')).toMatchObject({ status: 400, body: { code: 'duplicate_reference' } })
    expect(await send(other, BOOKING, 'a b')).toMatchObject({
      status: 400,
      body: { details: [{ path: 'Idempotency-Key' }] },
    })
  })

  it('repeats an error, and depends on method and path', async () => {
    const studio = await withFacility()
    const { start, call } = await served(studio)
    const url = await start()
    const key = { 'idempotency-key': 'same' }
    const { id } = (await call(`${url}/api/appointments/auto-schedule`, 'POST', BOOKING, key)).body.data
    const move = (body: unknown) => call(`${url}/api/appointments/${id}/reschedule`, 'PUT', body, key)
    const refused = await move({ targetDate: '2055-03-07' })
    expect(refused).toMatchObject({ status: 400, body: { message: 'Facility is closed on 2055-03-07 (Sunday).' } })
    await studio.json(['facility', 'update', 'DC1', '--queue', 'daily 06:00-18:00'])
    const { requestId: _, ...facts } = refused.body
    expect(await move({ targetDate: '2055-03-07' })).toMatchObject({ status: 400, body: facts, replayed: null })
    expect((await call(`${url}/api/appointments/${id}`, 'DELETE', undefined, key)).status).toBe(200)
    const again = await call(`${url}/api/appointments/${id}`, 'DELETE', undefined, key)
    expect(again).toMatchObject({
      status: 200,
      replayed: 'true',
      body: { message: expect.stringMatching(/is cancelled/) },
    })
  })

  it('has one effect for many concurrent retries', async () => {
    const { start, call } = await served(await withFacility())
    const urls = [await start(), await start()]
    const answers = await Promise.all(
      Array.from({ length: 24 }, (_, i) =>
        call(`${urls[i % 2]}/api/appointments/auto-schedule`, 'POST', BOOKING, { 'idempotency-key': 'race' }),
      ),
    )
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.data?.id}`)).size).toBe(1)
    expect(answers.filter(({ replayed }) => replayed === null)).toHaveLength(1)
    const listed = await call(`${urls[0]}/api/appointments?facility_code=DC1&start_date=2055-03-01`, 'GET')
    expect(listed.body).toHaveLength(1)
  })
})

describe('the dock API', () => {
  it('shows free slots, and draws the day', async () => {
    const { start, call } = await served(await withFacility())
    const url = await start()
    const free = await call(`${url}/api/facilities/DC1/availability?date=2055-03-01&type=pickup&minutes=90`, 'GET')
    expect(free).toMatchObject({ status: 200, body: { minutes: 90, slots: { length: 43 } } })
    expect(await call(`${url}/api/facilities/DC1/availability?date=2055-02-30`, 'GET')).toMatchObject({
      status: 400,
      body: { details: [{ path: 'date' }] },
    })
    expect((await call(`${url}/api/facilities/DC1/board?date=2055-03-01`, 'GET')).body.doors).toHaveLength(2)
    expect((await call(`${url}/api/facilities/DC9/availability`, 'GET')).status).toBe(404)
  })

  it('refuses bad input field by field', async () => {
    const { start, call } = await served(await withFacility())
    const url = `${await start()}/api/appointments/auto-schedule`
    const paths = async (body: unknown) =>
      (await call(url, 'POST', body)).body.details.map(({ path }: any) => path).sort()
    expect(await paths({})).toEqual(['carrierName', 'facilityId', 'referenceNumber', 'targetDate', 'type'])
    expect(
      await paths({ ...BOOKING, type: 'x', palletCount: 1.5, weight: -1, targetDate: '2055-02-29', colour: 'red' }),
    ).toEqual(['colour', 'palletCount', 'targetDate', 'type', 'weight'])
    expect(await paths({ ...BOOKING, durationMinutes: 1e9 })).toEqual(['durationMinutes'])
    expect(await paths({ ...BOOKING, equipmentId: 'a', trailerId: 'b' })).toEqual(['trailerId'])
    expect(await call(url, 'POST', { ...BOOKING, facilityId: '00000000-0000-4000-8000-000000000000' })).toMatchObject({
      status: 404,
    })
    expect((await call(url, 'POST', 'type=pickup', { 'content-type': 'text/plain' })).status).toBe(415)
    expect((await call(url, 'POST', '{"type":')).status).toBe(400)
    expect(
      (await call(url, 'POST', JSON.stringify({ ...BOOKING, loadDescription: 'x'.repeat(1_100_000) }))).status,
    ).toBe(413)
  })

  it('lets as many keys live as are needed, and ends a revoked one at once', async () => {
    const studio = await program()
    await studio.json(['tenant', 'create', 'acme'])
    const make = () => studio.run(['tenant', 'key', 'create', '--tenant', 'acme', '--json'])
    const [old, young] = [JSON.parse((await make()).out), JSON.parse((await make()).out)]
    const third = JSON.parse((await make()).out)
    const { url } = await firstJsonLine(studio.start(['serve', '--port', '0', '--json']))
    const status = async ({ key }: { key: string }) =>
      (await fetch(`${url}/api/facilities`, { headers: { 'x-api-key': key } })).status
    const statuses = () => Promise.all([old, young, third].map(status))
    expect(await statuses()).toEqual([200, 200, 200])
    await studio.json(['tenant', 'key', 'revoke', old.id])
    expect(await statuses()).toEqual([401, 200, 200])
  })
})

describe('docks on the command line', () => {
  it('ask before appointments are left in conflict, and move none', async () => {
    const studio = await withFacility()
    const { id, startTime } = (await studio.json(book('PO-1'))).data
    const close = ['facility', 'close', 'DC1', '--from', '2055-03-01', '--reason', 'Audit']
    const asked = await studio.run(close)
    expect(asked.exitCode).toBe(2)
    expect(asked.err).toMatch(/PO-1[\s\S]*--yes/)
    expect((await studio.json(['facility', 'get', 'DC1'])).closures).toEqual([])
    expect(await studio.json([...close, '--dry-run'])).toMatchObject({
      dryRun: true,
      conflicts: [{ reason: 'closure' }],
    })
    expect(await studio.json([...close, '--yes'])).toMatchObject({
      changed: true,
      conflicts: [{ appointment: { id } }],
    })
    expect((await studio.json(['appointment', 'get', id])).startTime).toBe(startTime)
    const refusal = await studio.run(book('PO-2', '--duration', '240'))
    expect(refusal.exitCode).toBe(0) // on the next date
    expect(await studio.json(['facility', 'conflicts', 'DC1'])).toHaveLength(1)
    expect(await studio.json(['facility', 'reopen', 'DC1', '--from', '2055-03-01'])).toMatchObject({ changed: true })
  })

  it('change doors', async () => {
    const studio = await withFacility()
    const door = (verb: string, name: string, ...more: string[]) =>
      studio.json(['door', verb, '--facility', 'DC1', '--name', name, ...more])
    await door('add', 'Ramp', '--types', 'pickup', '--position', '1')
    await door('update', 'Door 2', '--no-active', '--rename', 'Old')
    await door('remove', 'Door 1')
    expect(await studio.json(['door', 'list', '--facility', 'DC1'])).toMatchObject([
      { name: 'Ramp', position: 1, types: ['pickup'], active: true },
      { name: 'Old', position: 2, active: false },
    ])
    const missing = await studio.run(['door', 'remove', '--facility', 'DC1', '--name', 'X'])
    expect([missing.exitCode, missing.err]).toEqual([3, expect.stringContaining('studio door list --facility DC1')])
  })

  it('import a file with a report a row, and export it again', async () => {
    const studio = await withFacility()
    const file = join(studio.home, 'bookings.csv')
    await writeFile(file, 'type,carrier,reference,date\npickup,Acme,R1,2055-03-01\npickup,Acme,R1,2055-03-01\n')
    const report = await studio.run(['appointment', 'import', file, '--facility', 'DC1', '--json'])
    expect(report.exitCode).toBe(8)
    expect(JSON.parse(report.out)).toMatchObject({
      imported: 1,
      refused: [{ line: 3, code: 'duplicate_reference', message: expect.any(String) }],
    })
    const piped = await studio.json(['appointment', 'import', '-', '--facility', 'DC1'], {
      input: '{"type":"pickup","carrierName":"Acme","referenceNumber":"R2","targetDate":"2055-03-01"}\n',
    })
    expect(piped).toMatchObject({ imported: 1, refused: [] })
    expect((await studio.run(['appointment', 'import', 'nowhere.csv'])).err).toMatch(
      /nowhere\.csv: the file does not exist/,
    )

    const list = ['appointment', 'list', '--facility', 'DC1', '--from', '2055-03-01']
    expect((await studio.run([...list, '--format', 'csv'])).out.split('\r\n')).toHaveLength(4)
    const calendar = join(studio.home, 'docks.ics')
    await studio.run([...list, '--format', 'ics', '--out', calendar])
    expect((await readFile(calendar, 'utf8')).match(/BEGIN:VEVENT/g)).toHaveLength(2)
    expect((await studio.run([...list, '--format', 'ics', '--json'])).exitCode).toBe(2)
    expect((await studio.run([...list, '--format', 'pdf'])).exitCode).toBe(2)
  })

  it('draw the board as text, SVG and HTML', async () => {
    const studio = await withFacility()
    await studio.json(book('PO-1', '--duration', '240'))
    const board = ['facility', 'board', 'DC1', '--date', '2055-03-01']
    expect((await studio.run(board)).out).toContain('Door 1  [PO-1                  ]')
    expect((await studio.run([...board, '--format', 'svg'])).out).toMatch(/^<\?xml[\s\S]*<\/svg>\n$/)
    expect((await studio.run([...board, '--format', 'html'])).out).toMatch(/^<!doctype html>[\s\S]*<\/html>\n$/)
  })

  it('say truly which flags are required, and a month of reasons in a few lines', async () => {
    const studio = await withFacility()
    const help = (await studio.run(['book', '--help'])).out
    for (const flag of ['--facility', '--type', '--carrier', '--reference'])
      expect(help).toMatch(new RegExp(`${flag} [^\\n]*\\(required\\)`))
    for (const flag of ['--pallets', '--duration', '--weight', '--load', '--equipment'])
      expect(help).not.toMatch(new RegExp(`${flag} [^\\n]*\\(required\\)`))
    const bare = JSON.parse((await studio.run(['book', '--json'])).err)
    expect(bare.details.map(({ path }: any) => path).sort()).toEqual([
      '--carrier',
      '--date',
      '--facility',
      '--reference',
      '--type',
    ])
    await studio.run(['facility', 'close', 'DC1'])
    const refusal = await studio.run(book('PO-1'))
    expect(refusal.err.split('\n').length).toBeLessThan(6)
    expect(refusal.err).toContain('2055-03-01 to 2055-03-31')
  })
})
