import { describe, expect, it } from 'vitest'
import { bookAppointment } from '../../src/docks/booking/operations/book-appointment'
import { createFacility } from '../../src/docks/facilities/operations/create-facility'
import { type AnyOperation, execute } from '../../src/kernel'
import { DC1 } from '../docks/dock-fixtures'
import { served } from './served'

describe('the stream of appointment events', () => {
  it('continues where the reader left off, sends what comes, and ends with the server', async () => {
    const { studio, url, key, close } = await served()
    const run = (op: AnyOperation, input: unknown): Promise<any> =>
      execute(op, input, studio.context({ actor: { kind: 'terminal', tenant: 'default' } }))
    const book = (referenceNumber: string) =>
      run(bookAppointment, {
        facilityCode: 'DC1',
        type: 'pickup',
        carrierName: 'Acme',
        referenceNumber,
        targetDate: '2055-03-02',
      })
    await run(createFacility, DC1)
    for (const reference of ['A', 'B']) await book(reference)
    const headers = { 'x-api-key': await key(), accept: 'text/event-stream' }
    expect((await fetch(`${url}/api/appointments/events`, { headers: { accept: 'text/event-stream' } })).status).toBe(
      401,
    )
    const response = await fetch(`${url}/api/appointments/events`, { headers: { ...headers, 'last-event-id': '1' } })
    expect(response.headers.get('content-type')).toMatch('text/event-stream')
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    const until = async (part: string) => {
      while (!text.includes(part)) text += (await reader.read()).value
    }
    await until('"referenceNumber":"B"')
    expect(text).toMatch(
      /^id: 1\nevent: ready\ndata: {"id":1}\n\nid: 2\nevent: appointment.booked\ndata: {"id":2,"timestamp":/,
    )
    await book('C')
    await until('"referenceNumber":"C"')
    await close()
    for (let end = false; !end; ) end = (await reader.read()).done
    expect(text).not.toContain('event: error')
  })
})
