import { describe, expect, it } from 'vitest'
import { served } from './served'

describe('the fields of a query', () => {
  it.each([
    ['facility_code=DC1&start_date=soon', 'start_date', 'must be an existing date in the form YYYY-MM-DD'],
    ['facility_code=DC1&facilityCode=DC1', 'facilityCode', 'is not a field of this call'],
    ['facility_code=DC1&startDate=2027-03-01', 'startDate', 'is not a field of this call'],
    ['facility_code=DC1&door=1', 'door', 'is not a field of this call'],
  ])('are named in errors as they were sent: %s', async (query, path, message) => {
    const { call, key } = await served()
    const refused = await call('GET', `/api/appointments?${query}`, { headers: { 'x-api-key': await key() } })
    expect(refused).toMatchObject({
      status: 400,
      body: { code: 'invalid', hint: 'See /api/appointments in GET /openapi.json', details: [{ path, message }] },
    })
  })
})

describe('a query beside a body', () => {
  it('is refused, and nothing is done', async () => {
    const { call, key } = await served()
    const headers = { 'x-api-key': await key() }
    const body = {
      facilityCode: 'DC1',
      type: 'pickup',
      carrierName: 'A',
      referenceNumber: 'R',
      targetDate: '2027-03-01',
    }
    expect(await call('POST', '/api/appointments/auto-schedule?dryRun=true', { body, headers })).toMatchObject({
      status: 400,
      body: {
        code: 'invalid',
        details: [{ path: 'dryRun', message: 'is a field of the query: this call takes all in its body' }],
      },
    })
  })
})

describe('a body beside a query', () => {
  it.each([
    ['dryRun', { dryRun: true }],
    ['planId', { planId: '0'.repeat(24) }],
  ])('is refused with the field %s, and nothing is deleted', async (path, body) => {
    const { call } = await served()
    const { id } = (await call('POST', '/api/folders', { body: { name: 'Ideas' } })).body
    expect(await call('DELETE', `/api/folders/${id}`, { body })).toMatchObject({
      status: 400,
      body: {
        code: 'invalid',
        details: [{ path, message: 'is a field of the body: this call takes all in its query' }],
      },
    })
    // Without fields it says nothing that could be missed.
    expect(await call('DELETE', `/api/folders/${id}`, { body: {} })).toMatchObject({ status: 200 })
  })
})

describe('a body', () => {
  it.each(['{"facilityCode":', '[]', '"DC1"', 'null'])(
    'that is not one JSON object is refused with what would do: %s',
    async (body) => {
      const { call, key } = await served()
      const headers = { 'x-api-key': await key() }
      expect(await call('POST', '/api/appointments/auto-schedule', { body, headers })).toMatchObject({
        status: 400,
        body: { code: 'invalid', hint: 'Send the fields as one JSON object: {"name": "value"}' },
      })
    },
  )
})
