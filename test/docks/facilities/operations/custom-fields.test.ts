import { describe, expect, it } from 'vitest'
import { verifyTenantKey } from '../../../../src/access'
import { createTenantKey } from '../../../../src/access/operations/create-tenant-key'
import { loadAllOperations } from '../../../../src/catalog'
import { bookAppointment } from '../../../../src/docks/booking/operations/book-appointment'
import { confirmHold } from '../../../../src/docks/booking/operations/confirm-hold'
import { createHold } from '../../../../src/docks/booking/operations/create-hold'
import { findAppointments } from '../../../../src/docks/booking/operations/find-appointments'
import { getAppointment } from '../../../../src/docks/booking/operations/get-appointment'
import { importAppointments } from '../../../../src/docks/booking/operations/import-appointments'
import { listAppointments } from '../../../../src/docks/booking/operations/list-appointments'
import { updateAppointment } from '../../../../src/docks/booking/operations/update-appointment'
import { getFacility } from '../../../../src/docks/facilities/operations/get-facility'
import { updateFacility } from '../../../../src/docks/facilities/operations/update-facility'
import { createSeries } from '../../../../src/docks/series/operations/create-series'
import { updateSeries } from '../../../../src/docks/series/operations/update-series'
import { addToWaitlist } from '../../../../src/docks/waitlist/operations/add-to-waitlist'
import { execute, isDockAccess, type StudioError } from '../../../../src/kernel'
import { load, NOW, officeWith } from '../../dock-fixtures'

const FIELDS = [
  { name: 'temperature', kind: 'number', required: true, types: ['delivery'] },
  { name: 'lane', kind: 'choice', choices: ['cold', 'dry'] },
  { name: 'seal' },
  { name: 'margin', kind: 'number', seenBy: 'site', required: true },
]
const VALUES = { customFields: { temperature: -18, seal: 'A-7' }, siteFields: { margin: 4.5 } }

async function office() {
  const opened = await officeWith({ customFields: FIELDS, carriers: [{ name: 'Blue Freight' }] })
  const book = async (more: object = VALUES) => (await opened.run(bookAppointment, load({ ...more }))).data.id
  const get = (id: string | null) => opened.run(getAppointment, { id })
  const { key } = await opened.run(createTenantKey, { carrier: 'Blue Freight' })
  const blue = opened.as((await verifyTenantKey(opened.db, key, NOW))!)
  return { ...opened, book, get, blue }
}

const messagesOf = ({ details }: StudioError) => details?.map(({ path, message }) => `${path} ${message}`)

describe('the custom fields of a facility', () => {
  it('are checked when an appointment is booked, with all that is wrong', async () => {
    const { refusal, run } = await office()
    const wrong = {
      customFields: { temperature: 'cold', lane: 'warm', color: 'red', margin: 1 },
      siteFields: { seal: 'x' },
    }
    const refused = await refusal(bookAppointment, load(wrong))
    expect(refused.code).toBe('invalid')
    expect(messagesOf(refused)).toEqual([
      'customFields.temperature must be a number',
      'customFields.lane must be one of cold, dry',
      'customFields.color is not a field of the facility: it has temperature, lane, seal',
      'customFields.margin belongs to siteFields',
      'siteFields.seal belongs to customFields',
      'siteFields.margin is required: a number',
    ])
    expect(messagesOf(await refusal(bookAppointment, load({ type: 'pickup' })))).toEqual([
      'siteFields.margin is required: a number',
    ])
    expect(await run(listAppointments, { facilityCode: 'DC1', startDate: '2026-11-17' })).toEqual([])
  })

  it('accept texts from forms and flags, and choices in any letter case', async () => {
    const { book, get } = await office()
    const id = await book({ customFields: { temperature: '-18.5', lane: 'COLD' }, siteFields: { margin: '0' } })
    expect(await get(id)).toMatchObject({
      customFields: { temperature: -18.5, lane: 'cold' },
      siteFields: { margin: 0 },
    })
  })

  it('keep the values that a change does not give, and lose none that is required', async () => {
    const { book, get, run, refusal } = await office()
    const id = await book()
    await run(updateAppointment, { id, customFields: { lane: 'dry', seal: null } })
    expect(await get(id)).toMatchObject({
      customFields: { temperature: -18, lane: 'dry' },
      siteFields: { margin: 4.5 },
    })
    for (const customFields of [{ temperature: null }, { temperature: '' }, null])
      expect(messagesOf(await refusal(updateAppointment, { id, customFields }))).toEqual([
        'customFields.temperature is required: a number',
      ])
  })

  it('that are declared later are not asked of appointments that exist', async () => {
    const { book, get, run } = await office()
    const id = await book()
    const customFields = [
      ...FIELDS.filter(({ name }) => name !== 'seal'),
      { name: 'axles', kind: 'number', required: true },
    ]
    await run(updateFacility, { id: 'DC1', customFields })
    await run(updateAppointment, { id, weight: 900 })
    expect((await get(id)).customFields).toEqual({ temperature: -18, seal: 'A-7' })
    await run(updateAppointment, { id, customFields: { axles: 5 } })
    expect((await get(id)).customFields).toEqual({ temperature: -18, seal: 'A-7', axles: 5 })
  })

  it('are checked by holds, imports, series and the waitlist too', async () => {
    const { run, refusal } = await office()
    const { referenceNumber, ...place } = load()
    const held = await run(createHold, place)
    const confirm = { id: held.data.id, referenceNumber }
    expect(messagesOf(await refusal(confirmHold, confirm))).toHaveLength(2)
    await run(confirmHold, { ...confirm, ...VALUES })
    const rows = JSON.stringify([load(), load({ ...VALUES })])
    const report = await run(importAppointments, { text: rows }, { ...(await office()).ctx })
    expect(report).toMatchObject({ imported: 1, refused: [{ line: 1, code: 'invalid' }] })
    const terms = { days: ['tue'], startTime: '14:00', firstDate: '2026-11-17', referencePrefix: 'S' }
    const series = { facilityCode: 'DC1', type: 'delivery', carrierName: 'Blue Freight', ...terms }
    expect(messagesOf(await refusal(createSeries, series))).toHaveLength(2)
    const { data } = await run(createSeries, { ...series, ...VALUES })
    await run(updateSeries, { id: data.id, customFields: { lane: 'dry' } })
    const found = await run(findAppointments, { referenceNumber: 'S-2026-11-17' })
    expect(found).toMatchObject([{ customFields: { temperature: -18, seal: 'A-7', lane: 'dry' } }])
    const wait = { ...load(), offerMinutes: 60 }
    expect(messagesOf(await refusal(addToWaitlist, wait))).toHaveLength(2)
    await run(addToWaitlist, { ...wait, ...VALUES })
  })

  it('of the site are neither asked of a carrier, nor taken from it, nor shown to it', async () => {
    const { book, get, run, refusal, blue } = await office()
    const own = await run(bookAppointment, load({ customFields: { temperature: 2 } }), blue)
    expect((await get(own.data.id)).siteFields).toEqual({})
    expect(messagesOf(await refusal(bookAppointment, load(VALUES), blue))).toEqual([
      'siteFields.margin is not a field of the facility, which has none',
    ])
    const marked = 987_654
    const id = await book({ ...VALUES, siteFields: { margin: marked } })
    const { startTime, referenceNumber } = await get(id)
    const declared = await run(getFacility, { id: 'DC1' }, blue)
    expect(declared.customFields.map(({ name }) => name)).toEqual(['temperature', 'lane', 'seal'])
    // Every operation that a carrier may call, with what finds the appointment.
    const inputs: Record<string, object> = {
      'appointments.book': load({ ...{ referenceNumber, customFields: { temperature: 1 } } }),
      'appointments.list': { facilityCode: 'DC1', startDate: startTime.slice(0, 10) },
      'appointments.find': { referenceNumber },
      'appointments.get': { id },
      'appointments.update': { id, weight: 12 },
      'appointments.reschedule': { id, targetDate: '2026-11-18' },
      'appointments.cancel': { id },
    }
    const allowed = (await loadAllOperations()).filter(
      (op) => isDockAccess(op.access) && op.access.carriers === true && op.id in inputs,
    )
    expect(allowed.map((op) => op.id).sort()).toEqual(Object.keys(inputs).sort())
    for (const op of allowed.sort((a, b) => Object.keys(inputs).indexOf(a.id) - Object.keys(inputs).indexOf(b.id))) {
      const answer = await execute(op, inputs[op.id], blue as never).catch((error: StudioError) => error.details)
      expect(JSON.stringify(answer)).toContain(referenceNumber)
      expect(JSON.stringify(answer)).not.toContain(String(marked))
    }
    expect(await get(id)).toMatchObject({ weight: 12, siteFields: { margin: marked } })
  })

  it('of the site stay on a load that a carrier books from an offer, whatever it sends', async () => {
    const { run, get, refusal, blue } = await office()
    const confirmed = async (more: object) => {
      const { data } = await run(addToWaitlist, { ...load(VALUES), offerMinutes: 60 })
      const { referenceNumber } = data
      return { id: data.offer!.holdId, referenceNumber, ...more }
    }
    const refused = await refusal(confirmHold, await confirmed({ siteFields: { margin: 1 } }), blue)
    expect(messagesOf(refused)).toEqual(['siteFields.margin is not a field of the facility, which has none'])
    for (const siteFields of [undefined, null, {}, { margin: null }, { margin: '' }, { other: null }]) {
      const { data } = await run(confirmHold, await confirmed({ siteFields, customFields: { lane: 'dry' } }), blue)
      expect(await get(data.id)).toMatchObject({
        customFields: { temperature: -18, seal: 'A-7', lane: 'dry' },
        siteFields: { margin: 4.5 },
      })
    }
  })

  it('may have the name of something that every object has', async () => {
    const names = ['constructor', 'toString', 'hasOwnProperty', 'valueOf']
    const customFields = names.map((name) => ({ name, required: true }))
    const { run, refusal } = await officeWith({ customFields })
    expect(messagesOf(await refusal(bookAppointment, load()))).toEqual(
      names.map((name) => `customFields.${name} is required: a text`),
    )
    const values = Object.fromEntries(names.map((name) => [name, `of ${name}`]))
    const { data } = await run(bookAppointment, load({ customFields: values }))
    expect((await run(getAppointment, { id: data.id })).customFields).toEqual(values)
    expect(messagesOf(await refusal(updateAppointment, { id: data.id, customFields: { valueOf: null } }))).toEqual([
      'customFields.valueOf is required: a text',
    ])
  })

  it('must be consistent', async () => {
    const { refusal } = await office()
    const customFields = [{ name: 'a' }, { name: 'a', kind: 'choice' }, { name: 'b', choices: ['x'] }]
    expect(messagesOf(await refusal(updateFacility, { id: 'DC1', customFields }))).toEqual([
      'customFields.1.name another field has the name a',
      'customFields.1.choices must have the values of the choice',
      'customFields.2.choices must be empty for a text',
    ])
  })
})
