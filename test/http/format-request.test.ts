import { describe, expect, it } from 'vitest'
import { createFacility } from '../../src/docks/facilities/operations/create-facility'
import { formatRequest } from '../../src/http/route-table'
import { execute, suggest, suggestCommand } from '../../src/kernel'
import { served } from './served'

describe('a suggested call over HTTP', () => {
  it.each([
    [suggest('drafts.list'), 'GET /api/stories/saved'],
    [suggest('items.get', { id: 204 }), 'GET /api/devops/items/204'],
    [suggest('items.get', { id: '<id>', cached: true }), 'GET /api/devops/items/<id>?cached=true'],
    [
      suggest('appointments.reschedule', { id: 'a-1', targetDate: '<YYYY-MM-DD>' }),
      'PUT /api/appointments/a-1/reschedule with targetDate <YYYY-MM-DD>',
    ],
    [suggest('appointments.cancel', { id: 'a-1' }), 'DELETE /api/appointments/a-1'],
    [
      suggest('appointments.list', { facilityCode: '<code>', referenceNumber: '<reference>' }),
      'GET /api/appointments?facility_code=<code>&reference_number=<reference>',
    ],
    [suggest('folders.update', { id: 3, name: 'Docks, north' }), 'PATCH /api/folders/3 with name Docks, north'],
    [suggest('facilities.get', { id: 'Gate 5' }), 'GET /api/facilities/Gate%205'],
  ])('is a request: %o', async (call, request) => expect(await formatRequest(call)).toBe(request))

  it.each([
    [suggest('tenants.create', { name: 'acme' }), 'studio tenant create acme'],
    [suggestCommand('tokens.create', { name: '<name>' }), 'studio token create --name <name>'],
  ])('is a command if a person has to run it: %o', async (call, command) =>
    expect(await formatRequest(call)).toBe(command),
  )

  it('is part of an error, and the call that it names works', async () => {
    const { call } = await served()
    const missing = await call('GET', '/api/stories/saved/9')
    expect(missing.status).toBe(404)
    const [, method, path] = /: (GET) (\/\S+)$/.exec(missing.body.hint)!
    expect((await call(method!, path!)).status).toBe(200)
  })

  it('names no flag', async () => {
    const { call } = await served()
    const refused = await call('POST', '/api/helper/filters', { body: { name: 'Mine', criteria: {} } })
    expect(refused.body).toMatchObject({ code: 'invalid', hint: expect.stringMatching(/assignedTo/) })
    expect(refused.body.hint).not.toContain('--')
  })

  it.each(['DC1', 'Gate 5', 'v1.', 'a; b', 'Łódź', '--all', '"', '$(x)', 'studio draft list', 'a\nX: y'])(
    'names a facility by a call that works, whatever its code: %j',
    async (code) => {
      const server = await served()
      const queues = [{ days: ['mon'], start: '06:00', end: '18:00' }]
      const facility = { code, name: 'x', timeZone: 'UTC', queues, doors: [{ name: 'A' }], advanceToNextOpenDay: false }
      const terminal = server.studio.context({ actor: { kind: 'terminal', tenant: 'default' } })
      const { id } = (await execute(createFacility, facility, terminal)) as { id: string }
      const headers = { 'x-api-key': await server.key() }
      const targetDate = '2099-11-22' // a Sunday
      const booking = { facilityCode: code, type: 'pickup', targetDate, carrierName: 'c', referenceNumber: 'r' }
      const refused = await server.call('POST', '/api/appointments/auto-schedule', { headers, body: booking })
      expect(refused.body).toMatchObject({ code: 'facility_closed', hint: expect.stringMatching(/^[^\n]+$/) })
      const path = /Show the hours: GET (\/\S+)$/.exec(refused.body.hint)![1]!
      expect((await server.call('GET', path, { headers })).body).toMatchObject({ id, code })
    },
  )
})
