import { expect, it } from 'vitest'
import { bookAppointment } from '../../src/docks/booking/operations/book-appointment'
import { createFacility } from '../../src/docks/facilities/operations/create-facility'
import { DC1, load } from '../docks/dock-fixtures'
import { runOn } from '../storage/run-on-database'
import { served } from './served'

it('reads every list to its end in pages of one, in the order of the whole list', async () => {
  const { call, studio, key, token } = await served()
  for (const code of ['B', 'a', 'É', 'A']) await runOn(studio.db, createFacility, { ...DC1, code })
  for (let i = 0; i < 3; i++) await runOn(studio.db, bookAppointment, load({ facilityCode: 'A' }))
  await runOn(studio.db, bookAppointment, load({ facilityCode: 'A', targetDate: '2026-11-18' }))
  await call('POST', '/api/folders', { body: { name: 'Later' } })
  for (const title of ['Dock 10', 'dock 2', 'Dock 10', 'Apron']) {
    await call('POST', '/api/stories/save-draft', { body: { title, storyPoints: title === 'Apron' ? 3 : null } })
  }
  const admin = { authorization: `Bearer ${await token(['admin'])}` }
  await token(['read'])
  const tenant = { 'x-api-key': await key() }
  const drafts = ['updated', '-updated', 'created', '-created', 'title', '-title', 'points', '-points']
  await call('POST', '/api/tracker/features/import', { body: { featureId: 101 } })
  const lists: [path: string, headers: Record<string, string>, atLeast: number][] = [
    ['/api/facilities?', tenant, 4],
    ['/api/appointments?facility_code=A&start_date=2026-11-16&end_date=2026-11-20&', tenant, 4],
    ['/api/folders?', {}, 2],
    ['/api/helper/items?type=story,task&sort=state,-points&', {}, 20],
    ['/api/helper/items?type=story&type=bug&sort=-assignedTo&', {}, 8],
    ['/api/prompts?', {}, 2],
    ['/api/tokens?', admin, 2],
    ...drafts.map((sort): [string, Record<string, string>, number] => [`/api/stories/saved?sort=${sort}&`, {}, 4]),
  ]
  for (const [path, headers, atLeast] of lists) {
    const whole = await call('GET', path, { headers })
    expect(whole.headers['x-next-cursor']).toBeUndefined()
    const entries: unknown[] = []
    let cursor = ''
    do {
      const page = await call('GET', `${path}limit=1${cursor}`, { headers })
      expect(page.headers['x-total-count']).toBe(String(whole.body.length))
      entries.push(...page.body)
      const next = page.headers['x-next-cursor']
      cursor = next === undefined ? '' : `&cursor=${next}`
    } while (cursor !== '' && entries.length <= whole.body.length)
    expect(entries, path).toEqual(whole.body)
    expect(entries.length).toBeGreaterThanOrEqual(atLeast)
  }
})

it('continues after the last returned row, although an earlier row was cancelled', async () => {
  const { call, studio, key } = await served()
  await runOn(studio.db, createFacility, DC1)
  const ids: string[] = []
  for (let i = 0; i < 4; i++) ids.push((await runOn(studio.db, bookAppointment, load())).data.id)
  const headers = { 'x-api-key': await key() }
  const path = '/api/appointments?facility_code=DC1&start_date=2026-11-17&end_date=2026-11-17&status=scheduled&limit=2'
  const first = await call('GET', path, { headers })
  await call('DELETE', `/api/appointments/${first.body[0].id}`, { headers })
  const second = await call('GET', `${path}&cursor=${first.headers['x-next-cursor']}`, { headers })
  expect([...first.body, ...second.body].map(({ id }) => id)).toEqual(ids)
  expect(second.headers['x-next-cursor']).toBeUndefined()
})

it('refuses a cursor that it did not give', async () => {
  const { call, key } = await served()
  const { status, body } = await call('GET', '/api/facilities?cursor=page-2', {
    headers: { 'x-api-key': await key() },
  })
  expect(status).toBe(400)
  expect(body.message).toContain('cursor: must be a cursor that')
})
