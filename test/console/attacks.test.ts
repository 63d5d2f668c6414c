import { describe, expect, it } from 'vitest'
import { DC1, load } from '../docks/dock-fixtures'
import { openFacility, servedConsole } from './console-fixtures'

const HOSTILE = `<img src=x onerror=alert(1)>"'><script>alert(1)</script>`

/** A console with a session that may do everything. */
async function asAdministrator() {
  const service = await servedConsole()
  const { date } = await openFacility(service)
  const { path } = await service.run('sessions.create-link', {})
  return { service, date, cookie: await service.signIn(path.split('#')[1]!) }
}

describe('texts of others in the settings and at the docks', () => {
  it('are shown as text', async () => {
    const { service, date, cookie } = await asAdministrator()
    const { run, open, send } = service
    const code = 'A&B"<i>'
    const named = { name: HOSTILE.slice(0, 50) }
    await run('facilities.create', {
      ...DC1,
      ...named,
      code,
      queues: [{ ...DC1.queues[0], ...named }],
      doors: [named],
      closures: [{ from: '2031-01-01', to: '2031-01-02', reason: HOSTILE }],
    })
    const { data } = await run(
      'appointments.book',
      load({ targetDate: date, carrierName: HOSTILE, referenceNumber: HOSTILE, loadDescription: HOSTILE }),
    )
    const created = [
      await send('/console/run/tokens.create', { ...named, scopes: 'read', expires: '7d' }, cookie),
      await send('/console/run/tenants.create-key', { ...named, tenant: 'default', scope: 'read' }, cookie),
      await send('/console/run/sessions.create-link', { ...named, scope: 'read', tenant: 'default' }, cookie),
      await send('/console/run/views.save', { ...named, 'criteria.search': HOSTILE, columns: 'id,title' }, cookie),
    ]
    expect(created.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    const word = 'x'.repeat(300)
    const item = {
      type: 'User Story',
      state: HOSTILE.slice(0, 100),
      title: HOSTILE,
      description: `${HOSTILE} ${word}`,
      descriptionFormat: 'html',
      assignedTo: { displayName: HOSTILE, uniqueName: 'a@example.com' },
      areaPath: HOSTILE,
      iterationPath: HOSTILE,
      tags: [HOSTILE, word],
      url: 'javascript:alert(1)',
      changedAt: '2026-11-01T00:00:00.000Z',
    }
    const items = [
      { ...item, id: 900001, rev: 1 },
      { ...item, id: 900002, rev: 1, parentId: 900001 },
    ]
    expect(await run('items.import-file', { text: JSON.stringify(items), name: HOSTILE })).toMatchObject({ added: 2 })
    await run('filters.save', { name: `${named.name}2`, criteria: { tag: HOSTILE } })
    await run('folders.create', named)
    await run('drafts.save', { title: HOSTILE, description: HOSTILE })
    await run('people.add', { email: 'a@example.com', ...named })
    await run('facilities.create-gate-link', { id: code, ...named })
    const facility = `/docks/${encodeURIComponent(code)}`
    await run('yard.add-spots', { id: code, names: [named.name.slice(0, 100)] })
    const terms = { type: 'delivery', days: ['mon', 'thu'], startTime: '09:00', firstDate: date }
    const hostile = { carrierName: HOSTILE, referencePrefix: HOSTILE.slice(0, 100), lane: HOSTILE }
    const series = await run('series.create', { facilityCode: 'DC1', ...terms, ...hostile })
    await run('holds.create', { facilityCode: 'DC1', type: 'pickup', targetDate: date, carrierName: HOSTILE })
    await run('carriers.admit', { id: code, name: HOSTILE.slice(0, 100) })
    const trailer = await run('yard.arrive', {
      facilityCode: code,
      number: `${named.name.slice(0, 40)}1`,
      carrierName: named.name,
    })
    for (const page of [
      '/settings',
      '/settings/staff',
      '/settings/people',
      '/settings/trackers',
      '/settings/storage',
      '/settings/audit',
      '/settings/messages',
      '/settings/system',
      '/work',
      `/search?q=${encodeURIComponent(named.name.slice(0, 40))}`,
      '/work/views/1',
      '/work?view=list',
      `/work?view=list&f=${encodeURIComponent(`tag:${HOSTILE}`)}&columns=${encodeURIComponent(HOSTILE)}`,
      '/work?feature=900001',
      '/work?q=script',
      '/work/items/900001',
      '/work/items/900002?edit',
      '/work/items/900001/copy',
      '/work/new?parent=900001',
      '/work/change?id=900001&id=900002',
      '/work/import',
      '/work/saved',
      '/drafts',
      '/drafts?folder=2',
      '/docks',
      `/docks/DC1?date=${date}`,
      `/docks/DC1?wall&date=${date}`,
      `/docks/DC1?gate&date=${date}`,
      `/appointments/${data.id}`,
      `/trailers/${trailer.data.id}`,
      ...['', '/settings', '/import', '/gate-links', '/yard', '/yard/import', '/week', '/availability', '/book'].map(
        (path) => `${facility}${path}`,
      ),
      ...['/attention', '/appointments', '/clear', '/holds', '/series', '/carriers', '/report', '/waitlist'].map(
        (path) => `${facility}${path}`,
      ),
      `/docks/DC1/appointments?startDate=${date}`,
      '/docks/DC1/series',
      `/series/${series.data.id}`,
      `/appointments?startDate=${date}`,
    ]) {
      const { status, text } = await open(`/console${page}`, cookie)
      // What is inside a quoted value is no markup.
      const markup = text.replace(/="[^"]*"/g, '')
      expect([page, status, /<img|<script>|<i>/.exec(markup)?.[0]]).toEqual([page, 200, undefined])
    }
  })
})

describe('requests that no page makes', () => {
  it('get an error of the caller for an object in a field, also where the operation does not get it', async () => {
    const { service, cookie } = await asAdministrator()
    const fields = { id: 'DC1', name: 'New', dryRun: true }
    for (const object of [{ toString: 1 }, [{ days: 1 }], [['a']]])
      for (const name of ['limits.none.unit', 'queues', 'drawn.name']) {
        const { status, text } = await service.send(
          '/console/run/facilities.update',
          { ...fields, [name]: object },
          cookie,
        )
        expect([name, status, text]).toEqual([name, 400, expect.stringContaining('must be a text or a list of texts')])
      }
  })

  it('get an error of the caller for nonsense in an address', async () => {
    const { service, cookie } = await asAdministrator()
    for (const page of [
      ...['/work/items/X', '/work/items/X/copy', '/work/views/X', '/work?feature=X', '/work?q=X&type=X'],
      ...[
        '/drafts/X',
        '/drafts/X/publish',
        '/drafts?folder=X',
        '/reports/briefing?since=X',
        '/reports/priorities?title=X',
      ],
      ...['/docks/X', '/docks/X/week', '/docks/X/settings', '/docks/X/import', '/appointments/X', '/settings?done=X'],
      ...['', '/week', '/availability', '/book'].map((path) => `/docks/DC1${path}?date=X`),
      ...['minutes', 'type'].map((name) => `/docks/DC1/availability?${name}=X`),
    ])
      for (const nonsense of [
        '0',
        '-1',
        '1e99',
        '2026-02-30',
        '9999-12-31',
        '%00',
        '..%2f',
        '__proto__',
        'a'.repeat(3_000),
      ]) {
        const address = page.replaceAll('X', nonsense)
        const { status } = await service.open(`/console${address}`, cookie)
        expect([address, status < 500]).toEqual([address, true])
      }
  })

  it('get an error of the caller for nonsense in a form', async () => {
    const { service, cookie } = await asAdministrator()
    for (const operation of [
      ...['appointments.import', 'facilities.update', 'facilities.block', 'doors.update', 'priorities.set'],
      ...['views.save', 'drafts.save', 'drafts.refine', 'tokens.create', 'sessions.create-link', 'storage.backup'],
    ])
      for (const value of [null, -1, [], [[]], {}, '\u0000', '\ud800'])
        for (const name of [
          'id',
          'name',
          'text',
          'queues',
          'limits.0.max',
          'designated[]',
          'columns',
          'next',
          'ifRevision',
        ]) {
          const fields = {
            id: 'DC1',
            name: 'Door 1',
            dryRun: 'true',
            timeZone: 'UTC',
            text: 'type\nboat',
            [name]: value,
          }
          const { status } = await service.send(`/console/run/${operation}`, fields, cookie)
          expect([operation, name, value, status < 500]).toEqual([operation, name, value, true])
        }
  })

  it('get a choice, not a merge, for each of many fields that they say were changed', async () => {
    const { service, date, cookie } = await asAdministrator()
    const { data } = await service.run('appointments.book', load({ targetDate: date }))
    const words = (letter: string) => Array.from({ length: 100 }, (_, n) => `${letter}${n}`).join(' ')
    const names = Array.from({ length: 100 }, (_, n) => `customFields.x${n}`)
    const fields = names.flatMap((name) => [
      [name, words('a')],
      [`drawn.${name}`, words('b')],
    ])
    const sent = { id: data.id, ...Object.fromEntries(fields) }
    const { status, body } = await service.send('/console/run/appointments.update', sent, cookie)
    const { html } = body as { html: string }
    expect([status, html.match(/<fieldset/g)?.length, html.match(/<textarea/g)?.length]).toEqual([409, 100, 5])
  })

  it('are refused from another site, also those whose answer is a stream', async () => {
    const { service, cookie } = await asAdministrator()
    const foreign: Record<string, string>[] = [
      { origin: 'http://evil.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
    ]
    for (const headers of foreign) {
      const fields = { id: '1', promptId: 'summary' }
      const answer = await service.send('/console/run/drafts.refine', fields, cookie, {
        accept: 'text/event-stream',
        ...headers,
      })
      expect(answer.status).toBe(403)
    }
    expect((await service.open('/console/run/views.delete?view=1', cookie)).status).toBe(405)
  })
})
