import { expect, it } from 'vitest'
import { served } from './served'

it('names X-API-Key in every 401 of the dock API, and in no other', async () => {
  const { call, token } = await served()
  const admin = await token(['admin'])
  const sent: Record<string, string>[] = [
    {},
    { 'x-api-key': 'studio_key_no' },
    { authorization: `Bearer ${admin}` },
    { authorization: `Bearer ${admin}x` },
    { 'x-forwarded-for': '10.0.0.1' },
  ]
  for (const headers of sent) {
    for (const path of ['/api/facilities', '/api/appointments?facility_code=DC1', '/api/facilities/DC1/board']) {
      const { status, body, headers: given } = await call('GET', path, { headers })
      expect([path, status]).toEqual([path, 401])
      expect(`${body.message} ${body.hint}`).toContain('X-API-Key')
      expect(body.message).not.toContain('proxy')
      expect(given['www-authenticate']).toBe('ApiKey realm="studio docks", header="X-API-Key"')
    }
  }
  const story = await call('GET', '/api/stories/saved', { headers: { authorization: 'Bearer no' } })
  expect(story.headers['www-authenticate']).toMatch(/^Bearer realm="studio"/)
})
