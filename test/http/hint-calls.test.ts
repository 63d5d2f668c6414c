import { describe, expect, it } from 'vitest'
import { createFacility } from '../../src/docks/operations/create-facility'
import { inCalls } from '../../src/http/hint-calls'
import { deriveRouteTable } from '../../src/http/route-table'
import { execute } from '../../src/kernel'
import { served } from './served'

const routes = await deriveRouteTable()

describe('a hint over HTTP', () => {
  it.each([
    ['See which there are: studio draft list', 'See which there are: GET /api/stories/saved'],
    ['Fetch it: studio item get 204', 'Fetch it: GET /api/devops/items/204'],
    [
      'Its snapshot is here: studio item get 204 --cached',
      'Its snapshot is here: GET /api/devops/items/204?cached=true',
    ],
    [
      'What is kept is shown by: studio item get <id> --cached',
      'What is kept is shown by: GET /api/devops/items/<id>?cached=true',
    ],
    [
      'Move it: studio reschedule a-1 --date <YYYY-MM-DD>; or cancel it: studio appointment cancel a-1',
      'Move it: PUT /api/appointments/a-1/reschedule with targetDate <YYYY-MM-DD>; or cancel it: DELETE /api/appointments/a-1',
    ],
    [
      'Look it up: studio appointment list --facility <code> --reference <reference>',
      'Look it up: GET /api/appointments?facility_code=<code>&reference_number=<reference>',
    ],
    [
      'Give it another name: studio folder rename 3 "Docks, north"',
      'Give it another name: PATCH /api/folders/3 with name Docks, north',
    ],
    ['Look: studio facility get "Gate 5"', 'Look: GET /api/facilities/Gate%205'],
    [
      'Try again, or another model: studio llm models. It says more in its log.',
      'Try again, or another model: GET /api/llm/models. It says more in its log.',
    ],
  ])('%s', (hint, told) => expect(inCalls(hint, routes)).toBe(told))

  it.each([
    'Make a key: studio tenant key create',
    'The hours of studio itself are long.',
    'Call it by the address that studio serve prints; for the name of a proxy: studio serve --allow-host <name>',
    'Send the header X-API-Key',
  ])('that names no call stays as it is: %s', (hint) => expect(inCalls(hint, routes)).toBe(hint))

  it('is what a caller meets, and the call that it names works', async () => {
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
      const path = /shown by: GET (\/\S+)$/.exec(refused.body.hint)![1]!
      expect((await server.call('GET', path, { headers })).body).toMatchObject({ id, code })
    },
  )
})
