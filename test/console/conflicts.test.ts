import { describe, expect, it } from 'vitest'
import { loadOperation } from '../../src/catalog'
import type { RunById } from '../../src/console/actions/action'
import { actions } from '../../src/console/actions/run-action'
import { runForm } from '../../src/console/actions/run-form'
import { load } from '../docks/dock-fixtures'
import { type ConsoleServed, openFacility, servedConsole } from './console-fixtures'
import { readForms } from './read-form'

const HOSTILE = `<img src=x onerror=alert(1)>"'></textarea><script>alert(1)</script>`

interface Docks extends ConsoleServed {
  cookie: string
  id: string
  /** The fields of a form as its page shows them. */
  formOf(operation: string, page?: string): Promise<Record<string, any>>
  /** Runs the form, as the script of its page does. */
  post(operation: string, fields: object): Promise<any>
  get(): Promise<any>
}

async function openAppointment(booking: object = {}, facility: object = {}): Promise<Docks> {
  const service = await servedConsole()
  const { path } = await service.run('sessions.create-link', {})
  const cookie = await service.signIn(path.split('#')[1])
  const { date } = await openFacility(service, facility)
  const { data } = await service.run('appointments.book', load({ targetDate: date, ...booking }))
  return {
    ...service,
    cookie,
    id: data.id,
    formOf: async (operation, page = `/console/appointments/${data.id}`) =>
      readForms((await service.open(page, cookie)).text, operation)[0]!.fields,
    post: (operation, fields) => service.send(`/console/run/${operation}`, fields, cookie),
    get: () => service.run('appointments.get', { id: data.id }),
  }
}

describe('two people who change one appointment', () => {
  it('both keep what they have changed in different fields', async () => {
    const { formOf, post, get } = await openAppointment()
    const [a, b] = [await formOf('appointments.update'), await formOf('appointments.update')]
    expect((await post('appointments.update', { ...a, carrierName: 'Acme' })).status).toBe(200)
    expect((await post('appointments.update', { ...b, equipmentId: 'TRL-9' })).status).toBe(200)
    expect(await get()).toMatchObject({ carrierName: 'Acme', equipmentId: 'TRL-9' })
  })

  it('see both values of the same field, and the one who saves again decides', async () => {
    const { formOf, post, get } = await openAppointment({ carrierName: 'Blue Freight' })
    const form = await formOf('appointments.update')
    await post('appointments.update', { ...form, carrierName: HOSTILE })
    const refused = await post('appointments.update', { ...form, carrierName: 'Mine', palletCount: '7' })
    expect(refused).toMatchObject({
      status: 409,
      body: { code: 'stale_revision', details: [{ path: 'carrierName', was: 'Blue Freight', now: HOSTILE }] },
    })
    expect(refused.body.html).not.toContain('<img')
    const [shown] = readForms(refused.body.html, 'appointments.update')
    expect(shown!.text).toMatch(/Yours: Mine[\s\S]*Theirs: /)
    expect(shown!.text).toContain(HOSTILE)
    expect(await get()).toMatchObject({ carrierName: HOSTILE, palletCount: null })
    expect((await post('appointments.update', { ...shown!.fields, 'choice.carrierName': 'yours' })).status).toBe(200)
    expect(await get()).toMatchObject({ carrierName: 'Mine', palletCount: 7 })
  })

  it('keep the value of the other one where that is chosen, and save the rest', async () => {
    const { formOf, post, get } = await openAppointment()
    const form = await formOf('appointments.update')
    await post('appointments.update', { ...form, carrierName: 'Acme' })
    const refused = await post('appointments.update', { ...form, carrierName: 'Mine', palletCount: '7' })
    const [shown] = readForms(refused.body.html, 'appointments.update')
    await post('appointments.update', { ...shown!.fields, 'choice.carrierName': 'theirs' })
    expect(await get()).toMatchObject({ carrierName: 'Acme', palletCount: 7 })
  })

  it('see a name that every object has as the text that it is', async () => {
    const { formOf, post } = await openAppointment({ carrierName: 'Blue Freight' })
    const form = await formOf('appointments.update')
    await post('appointments.update', { ...form, carrierName: 'toString' })
    const sent = { ...form, carrierName: 'constructor', 'drawn.valueOf': 'a', valueOf: 'b' }
    const { body } = await post('appointments.update', sent)
    expect(body.details).toEqual([
      expect.objectContaining({ path: 'carrierName', now: 'toString' }),
      expect.objectContaining({ path: 'valueOf', now: '' }),
    ])
    expect(readForms(body.html, 'appointments.update')[0]!.text).toMatch(/Yours: constructor\s+Theirs: toString/)
  })

  it('meet again if there is another change while one of them chooses', async () => {
    const { formOf, post, get, run, id } = await openAppointment()
    const form = await formOf('appointments.update')
    await run('appointments.update', { id, carrierName: 'Acme' })
    const refused = await post('appointments.update', { ...form, carrierName: 'Mine' })
    const [shown] = readForms(refused.body.html, 'appointments.update')
    await run('appointments.update', { id, carrierName: 'Third' })
    const again = await post('appointments.update', { ...shown!.fields, 'choice.carrierName': 'yours' })
    expect(again).toMatchObject({ status: 409, body: { details: [{ was: 'Acme', now: 'Third' }] } })
    expect(await get()).toMatchObject({ carrierName: 'Third' })
  })

  it('lose nothing when they save at the same time', async () => {
    const { formOf, post, get } = await openAppointment()
    const form = await formOf('appointments.update')
    const sent = [{ carrierName: 'Acme' }, { equipmentId: 'TRL-9' }, { palletCount: '7' }, { weight: '900' }]
    const answers = await Promise.all(sent.map((change) => post('appointments.update', { ...form, ...change })))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(await get()).toMatchObject({ carrierName: 'Acme', equipmentId: 'TRL-9', palletCount: 7, weight: 900 })
    const fresh = await formOf('appointments.update')
    const rivals = ['A', 'B', 'C', 'D'].map((carrierName) => post('appointments.update', { ...fresh, carrierName }))
    const statuses = (await Promise.all(rivals)).map(({ status }) => status)
    expect(statuses.toSorted()).toEqual([200, 409, 409, 409])
    expect(await get()).toMatchObject({ carrierName: ['A', 'B', 'C', 'D'][statuses.indexOf(200)] })
  })

  it.each([
    ['the same field', { carrierName: 'Theirs' }, 'conflict', { carrierName: 'Theirs' }],
    ['another field', { weight: 900 }, 'done', { carrierName: 'Mine', weight: 900 }],
  ])(
    'lose nothing if one changes %s between the comparison and the save of the other',
    async (_, theirs, kind, saved) => {
      const { formOf, run, studio, id, get } = await openAppointment()
      const { next: __, ...form } = await formOf('appointments.update')
      let isFirst = true
      const outcome = await runForm(
        await loadOperation('appointments.update'),
        actions['appointments.update']!,
        { ...form, carrierName: 'Mine' },
        {
          studio,
          runById: run as RunById,
          async run(input) {
            if (isFirst) await run('appointments.update', { id, ...theirs })
            isFirst = false
            return run('appointments.update', input)
          },
        },
      )
      expect(outcome.kind).toBe(kind)
      expect(await get()).toMatchObject(saved)
    },
  )

  it('see the conflict also without scripts', async () => {
    const { formOf, call, url, cookie, run, id, get } = await openAppointment()
    const form = await formOf('appointments.update')
    await run('appointments.update', { id, carrierName: 'Acme' })
    const send = (fields: Record<string, any>) =>
      call('POST', '/console/run/appointments.update', {
        body: new URLSearchParams(fields).toString(),
        headers: {
          cookie,
          origin: url,
          'sec-fetch-site': 'same-origin',
          'content-type': 'application/x-www-form-urlencoded',
        },
      })
    const refused = await send({ ...form, carrierName: 'Mine' })
    expect(refused.status).toBe(409)
    const [shown] = readForms(refused.text, 'appointments.update')
    expect((await send({ ...shown!.fields, 'choice.carrierName': 'yours' })).status).toBe(303)
    expect(await get()).toMatchObject({ carrierName: 'Mine' })
  })
})

describe('a form of something that exists', () => {
  it('clears a field that is emptied, and says so if nothing was changed', async () => {
    const { formOf, post, get } = await openAppointment({
      equipmentId: 'TRL-1',
      palletCount: 4,
      loadDescription: 'Tiles',
      referenceNumber: 'PO-1',
      references: ['PO-1', 'PO-2'],
    })
    const form = await formOf('appointments.update')
    const emptied = { equipmentId: '', palletCount: '', loadDescription: '', 'references[lines]': '' }
    expect((await post('appointments.update', { ...form, ...emptied })).body.message).toBe(
      'The appointment was changed.',
    )
    const cleared = { equipmentId: null, palletCount: null, loadDescription: null }
    expect(await get()).toMatchObject({ ...cleared, referenceNumber: 'PO-1', references: [{ number: 'PO-1' }] })
    const untouched = await post('appointments.update', await formOf('appointments.update'))
    expect(untouched.body).toMatchObject({
      message: 'Nothing was changed.',
      location: expect.stringContaining('done=nothing'),
    })
  })

  it('refuses to clear what must have a value', async () => {
    const { formOf, post, get } = await openAppointment()
    const refused = await post('appointments.update', {
      ...(await formOf('appointments.update')),
      carrierName: '',
      durationMinutes: '',
    })
    expect(refused.status).toBe(400)
    expect(refused.body.details.map(({ path }: { path: string }) => path)).toEqual(['durationMinutes'])
    const empty = await post('appointments.update', { ...(await formOf('appointments.update')), carrierName: ' ' })
    expect(empty).toMatchObject({ status: 400, body: { details: [{ path: 'carrierName' }] } })
    expect(await get()).toMatchObject({ carrierName: 'Blue Freight', durationMinutes: 60 })
  })

  it('clears settings of a facility, of its doors, of a webhook and of a trailer', async () => {
    const { formOf, post, run } = await openAppointment({}, { reminderHours: 24, advanceToNextOpenDay: true })
    const settings = '/console/docks/DC1/settings'
    const general = await formOf('facilities.update', settings)
    const { advanceToNextOpenDay: _, ...unchecked } = general
    await post('facilities.update', { ...unchecked, dryRun: '', reminderHours: '' })
    expect(await run('facilities.get', { id: 'DC1' })).toMatchObject({
      reminderHours: null,
      advanceToNextOpenDay: false,
    })
    const name = await post('facilities.update', { ...general, dryRun: '', name: '' })
    expect(name).toMatchObject({ status: 400, body: { details: [{ path: 'name' }] } })
    await run('doors.update', { facilityCode: 'DC1', name: 'Door 1', maxHeight: 150 })
    await post('doors.update', { ...(await formOf('doors.update', settings)), dryRun: '', maxHeight: '' })
    expect((await run('facilities.get', { id: 'DC1' })).doors[0].maxHeight).toBe(null)

    await run('webhooks.add', { url: 'https://tms.example.com/in', facility: 'DC1', carrierName: 'Acme' })
    const webhook = await formOf('webhooks.update', '/console/settings/messages')
    expect((await post('webhooks.update', { ...webhook, carrierName: '', facility: '' })).status).toBe(200)
    expect(await run('webhooks.list', {})).toMatchObject([{ carrierName: null, facilityId: null }])

    await run('yard.add-spots', { id: 'DC1', names: ['Y1'] })
    const arrival = { facilityCode: 'DC1', number: 'T-1', carrierName: 'Blue', spotName: 'Y1', note: 'Seal broken' }
    const { data } = await run('yard.arrive', arrival)
    const trailer = await formOf('yard.update', `/console/trailers/${data.id}`)
    await post('yard.update', { ...trailer, note: '' })
    expect(await run('yard.get', { id: data.id })).toMatchObject({ note: null })
  })

  it('changes a line break of a longer text', async () => {
    const { open, cookie, post, run } = await openAppointment()
    await run('mail-templates.set', { id: 'booked', subject: 'S', text: 'One\nTwo' })
    const forms = readForms((await open('/console/settings/messages', cookie)).text, 'mail-templates.set')
    const form = forms.find(({ fields }) => fields['id'] === 'booked')!.fields
    await post('mail-templates.set', { ...form, text: 'One\n\nTwo' })
    expect((await run('mail-templates.get', { id: 'booked' })).text.trim()).toBe('One\n\nTwo')
  })
})

describe('the form that moves an appointment', () => {
  it('shows where it is, and changes nothing if it is sent untouched', async () => {
    const { formOf, post, get } = await openAppointment({ startTime: '09:30' })
    const before = await get()
    const form = await formOf('appointments.reschedule')
    expect(form).toMatchObject({ startTime: '09:30', doorId: before.doorId })
    expect((await post('appointments.reschedule', form)).body.message).toBe('Nothing was changed.')
    expect(await get()).toEqual(before)
    const onlyReason = await post('appointments.reschedule', { ...form, reason: 'Weather' })
    expect(onlyReason.body.message).toBe('Nothing was changed.')
  })

  it('keeps the date and the door where only the start is changed, and finds the first free slot of a date', async () => {
    const { formOf, post, get } = await openAppointment({ startTime: '09:30', doorId: 'Door 2' })
    const before = await get()
    await post('appointments.reschedule', { ...(await formOf('appointments.reschedule')), startTime: '11:30' })
    const moved = await get()
    expect(moved).toMatchObject({
      doorName: 'Door 2',
      startTime: before.startTime.replace(/T.*/, moved.startTime.slice(10)),
    })
    expect(Date.parse(moved.startTime) - Date.parse(before.startTime)).toBe(2 * 3_600_000)
    const form = await formOf('appointments.reschedule')
    await post('appointments.reschedule', { ...form, slot: 'first' })
    expect(Date.parse((await get()).startTime)).toBeLessThan(Date.parse(before.startTime))
  })

  it('names both places by their doors if somebody else has moved it', async () => {
    const { formOf, post, run, id, get } = await openAppointment({ startTime: '09:30', doorId: 'Door 1' })
    const form = await formOf('appointments.reschedule')
    await run('appointments.reschedule', { id, targetDate: form['targetDate'], startTime: '12:00', doorId: 'Door 2' })
    const refused = await post('appointments.reschedule', { ...form, startTime: '10:30' })
    expect(refused.status).toBe(409)
    const [shown] = readForms(refused.body.html, 'appointments.reschedule')
    await post('appointments.reschedule', { ...shown!.fields, 'choice.startTime': 'yours' })
    expect(await get()).toMatchObject({ doorName: 'Door 2' })
    const first = await post('appointments.reschedule', { ...form, slot: 'first' })
    expect(first).toMatchObject({ status: 409, body: { message: expect.stringContaining('has moved') } })
  })
})
