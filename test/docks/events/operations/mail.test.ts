import { describe, expect, it } from 'vitest'
import { bookAppointment } from '../../../../src/docks/booking/operations/book-appointment'
import { cancelAppointment } from '../../../../src/docks/booking/operations/cancel-appointment'
import { rescheduleAppointment } from '../../../../src/docks/booking/operations/reschedule-appointment'
import { updateAppointment } from '../../../../src/docks/booking/operations/update-appointment'
import { addWebhook } from '../../../../src/docks/events/operations/add-webhook'
import { deliverWebhooks } from '../../../../src/docks/events/operations/deliver-webhooks'
import { testWebhook } from '../../../../src/docks/events/operations/test-webhook'
import { updateFacility } from '../../../../src/docks/facilities/operations/update-facility'
import { drawQrPng } from '../../../../src/docks/gate/services/qr-png'
import { checkInAppointment } from '../../../../src/docks/visits/operations/check-in-appointment'
import { inspectMailServer } from '../../../../src/mail'
import { startMailServer } from '../../../mail/mail-server'
import { load, NO_MAIL, officeWith } from '../../dock-fixtures'
import { createDeferred } from '../webhook-fixtures'

/** The office with a mail server and an e-mail address that gets events. */
async function officeWithMail(refuse?: Parameters<typeof startMailServer>[0], more: object = {}) {
  const server = await startMailServer(refuse)
  const office = await officeWith({ minMinutes: 15, slotMinutes: 15 })
  const ctx = {
    ...office.ctx,
    webhooks: { allowedNetworks: [] },
    findPublicUrl: () => null,
    mail: { url: server.url(), from: 'docks@north.example' },
  }
  const add = (input: object) =>
    office.run(addWebhook as any, { url: 'mailto:dispatch@acme.example', ...input }, ctx as never) as any
  const added = await add(more)
  const deliver = () => office.run(deliverWebhooks as any, {}, ctx as never) as any
  return { ...server, office, ctx, add, added, deliver }
}

describe('an e-mail address', () => {
  it('gets an invitation, an update and a cancellation for its calendar, and nothing of the steps at the door', async () => {
    const { received, office, deliver, added } = await officeWithMail()
    expect(added.secret).toBeNull()
    const { data } = await office.run(bookAppointment, load({ referenceNumber: 'PO-1', carrierName: 'Blue Freight' }))
    await office.run(rescheduleAppointment, { id: data.id, targetDate: '2026-11-18' })
    await office.run(checkInAppointment, { id: data.id, early: true })
    await office.run(cancelAppointment, { id: data.id }).catch(() => {})
    expect(await deliver()).toMatchObject({ failed: 0, dead: 0 })
    expect(received[0]).toMatchObject({
      to: ['dispatch@acme.example'],
      subject: 'Booked: PO-1, Tue, 17 Nov 2026, 06:00 (America/Chicago) at North, Door 1',
      headers: { From: 'Dock schedule <docks@north.example>', 'Auto-Submitted': 'auto-generated' },
    })
    const calendars = received.map(({ text }) => text.replace(/\r?\n /g, ''))
    expect(calendars[0]).toMatch(/METHOD:REQUEST[\s\S]*UID:.*@studio[\s\S]*SEQUENCE:0[\s\S]*DTSTART:20261117T120000Z/)
    expect(calendars[1]).toMatch(/METHOD:REQUEST[\s\S]*SEQUENCE:1[\s\S]*DTSTART:20261118T120000Z/)
    expect(calendars[1]).toContain('Before:    Tue, 17 Nov 2026, 06:00 (America/Chicago), Door 1')
    const uid = /UID:\S+/.exec(calendars[0]!)![0]
    expect(calendars.every((text) => text.includes(uid) && text.includes('ORGANIZER:mailto:docks@north.example'))).toBe(
      true,
    )
    expect(received.map(({ subject }) => subject.split(':')[0])).not.toContain('Checked in')
  })

  it('gets the reference as a QR code for the gate, as long as the truck is expected', async () => {
    const { received, office, deliver } = await officeWithMail()
    const { data } = await office.run(bookAppointment, load({ referenceNumber: 'PO "<1>"' }))
    await office.run(cancelAppointment, { id: data.id })
    await deliver()
    const code = { 'reference.png': Buffer.from(drawQrPng('PO "<1>"')) }
    expect(received.map(({ pictures }) => pictures)).toEqual([code, {}])
    expect(received[0]!.text).toContain('<img src="cid:reference.png" alt="QR code of PO &#34;&#60;1&#62;&#34;"')
    expect(received[1]!.text).not.toContain('<img')
  })

  it('of a carrier gets the appointments of that carrier, and a cancellation without secrets if one is given to another', async () => {
    const { received, office, deliver } = await officeWithMail(undefined, {
      carrierName: 'Blue Freight',
      facility: 'DC1',
    })
    const { data } = await office.run(bookAppointment, load({ referenceNumber: 'PO-1', carrierName: 'Blue Freight' }))
    await office.run(bookAppointment, load({ referenceNumber: 'PO-2', carrierName: 'Red Freight' }))
    await office.run(updateAppointment, { id: data.id, carrierName: 'Red Freight', equipmentId: 'RED-7' })
    await office.run(cancelAppointment, { id: data.id })
    expect(await deliver()).toMatchObject({ delivered: 2 })
    expect(received.map(({ subject }) => subject.slice(0, 15))).toEqual(['Booked: PO-1, T', 'Cancelled: PO-1'])
    expect(received[1]!.text).toContain('METHOD:CANCEL')
    expect(received[1]!.text).toContain('Blue Freight')
    expect(received[1]!.text).not.toMatch(/Red|RED/)
  })

  it('cannot be given a header, an address or a line by a text of a booking', async () => {
    const { received, office, deliver } = await officeWithMail()
    const hostile = 'A\u2028Bcc: thief@evil.example <b>&'
    await office.run(bookAppointment, load({ referenceNumber: hostile, carrierName: 'Zoë "x" <zoe@evil.example>' }))
    expect(await deliver()).toMatchObject({ delivered: 1 })
    expect(received).toHaveLength(1)
    expect(received[0]!.to).toEqual(['dispatch@acme.example'])
    expect(received[0]!.headers['Bcc']).toBeUndefined()
    expect(received[0]!.text).toContain('&#60;b&#62;&#38;')
    expect(received[0]!.text).not.toMatch(/^Bcc/m)
  })

  it('gets what the mail server refused later, in order, and once', async () => {
    let refusals = 0
    const { received, office, deliver } = await officeWithMail(() => (refusals++ < 2 ? 451 : null))
    const { data } = await office.run(bookAppointment, load({ referenceNumber: 'PO-1' }))
    await office.run(cancelAppointment, { id: data.id })
    expect(await deliver()).toMatchObject({ delivered: 0, failed: 1 })
    for (const time of ['2026-11-16T14:01:00Z', '2026-11-16T14:10:00Z']) {
      office.at(time)
      await deliver()
    }
    expect(received.map(({ subject }) => subject.split(':')[0])).toEqual(['Booked', 'Cancelled'])
    expect(new Set(received.map(({ headers }) => headers['Message-ID'])).size).toBe(2)
  })

  it('that the mail server does not answer for delays no mail to another one', async () => {
    const end = createDeferred<null>()
    const arrived = createDeferred<void>()
    let others = 0
    const { received, office, add, deliver } = await officeWithMail((to) => {
      if (to[0]!.startsWith('dispatch')) return end.promise
      others += 1
      if (others === 12) arrived.resolve()
      return null
    })
    await add({ url: 'mailto:yard@acme.example' })
    for (let i = 0; i < 12; i += 1) await office.run(bookAppointment, load({ durationMinutes: 15 }))
    const delivering = deliver()
    await arrived.promise
    expect(received.map(({ to }) => to[0])).not.toContain('dispatch@acme.example')
    end.resolve(null)
    expect(await delivering).toMatchObject({ delivered: 24, failed: 0 })
  })

  it('that the mail server refuses costs the mails to others no attempt', async () => {
    const { received, office, add, deliver } = await officeWithMail((to) =>
      to[0]!.startsWith('dispatch') ? 550 : null,
    )
    await add({ url: 'mailto:yard@acme.example' })
    for (let i = 0; i < 12; i += 1) await office.run(bookAppointment, load({ durationMinutes: 15 }))
    expect(await deliver()).toMatchObject({ delivered: 12, failed: 12 })
    expect(received.every(({ to }) => to[0] === 'yard@acme.example')).toBe(true)
  })

  it('is refused if it is no address, or if no mail server is set, and can be tested', async () => {
    const { received, office, ctx, add, added } = await officeWithMail()
    for (const url of [
      'mailto:nobody',
      'mailto:a@b.example?bcc=c@d.example',
      'mailto:a@b.example,c@d.example',
      'ftp://a',
    ])
      await expect(add({ url })).rejects.toMatchObject({ code: 'invalid' })
    await expect(add({ facility: 'NONE' })).rejects.toMatchObject({ code: 'not_found' })
    await expect(
      office.run(addWebhook as any, { url: 'mailto:a@b.example' }, { ...ctx, mail: NO_MAIL } as never),
    ).rejects.toMatchObject({
      message: expect.stringContaining('no mail server is set (STUDIO_SMTP_URL)'),
    })
    await office.run(testWebhook as any, { id: added.id }, ctx)
    expect(received[0]!.subject).toBe('Test message of the dock schedule')
  })
})

describe('the mail server', () => {
  it('is checked by doctor, which names neither the password nor the user', async () => {
    const { url } = await startMailServer()
    const check = (address: string) => inspectMailServer({ url: address, from: 'docks@north.example' }, false)
    expect(await check(url('me:secret@'))).toMatchObject([{ level: 'ok' }])
    const wrong = await check(url('me:wrong@'))
    expect(wrong).toMatchObject([{ level: 'warning', message: expect.stringContaining('refused the login') }])
    expect(JSON.stringify(wrong)).not.toMatch(/wrong@|me:/)
    expect(await check('smtp://127.0.0.1:1')).toMatchObject([{ level: 'warning' }])
  })

  it('gets no password over a connection that cannot be encrypted', async () => {
    const findings = await inspectMailServer(
      { url: 'smtp://me:secret@localhost.localdomain:1', from: 'a@b.example' },
      true,
    )
    expect(findings).toMatchObject([{ message: 'localhost.localdomain:1; not checked (--offline).' }])
  })
})

describe('the contacts of an appointment', () => {
  const CONTACTS = { url: 'contacts' }
  const [ANA, BOB, CY] = ['ana@blue.example', 'bob@blue.example', 'cy@red.example']

  it('get its mails, each of them, and nobody else does', async () => {
    const { received, office, deliver } = await officeWithMail(undefined, CONTACTS)
    const book = (more: object) => office.run(bookAppointment, load({ ...more }))
    const { data } = await book({ referenceNumber: 'PO-1', contactEmails: [ANA, BOB] })
    await book({ referenceNumber: 'PO-2', contactEmails: [CY] })
    await book({ referenceNumber: 'PO-3' })
    await office.run(rescheduleAppointment, { id: data.id, targetDate: '2026-11-18' })
    await office.run(cancelAppointment, { id: data.id })
    expect(await deliver()).toMatchObject({ failed: 0, dead: 0 })
    const titlesTo = (address: string) =>
      received.filter(({ to }) => to.includes(address)).map(({ subject }) => subject.split(',')[0])
    const titles = ['Booked: PO-1', 'Moved: PO-1', 'Cancelled: PO-1']
    expect([titlesTo(ANA), titlesTo(BOB), titlesTo(CY)]).toEqual([titles, titles, ['Booked: PO-2']])
    expect(received).toHaveLength(7)
    expect(received.every(({ to }) => to.length === 1)).toBe(true)
    expect(received[0]!.text.replace(/\r?\n /g, '')).toContain(
      `ATTENDEE;PARTSTAT=ACCEPTED;RSVP=FALSE:mailto:${received[0]!.to[0]}`,
    )
  })

  it('that are removed get a cancellation with the appointment as it was, and later nothing', async () => {
    const { received, office, deliver } = await officeWithMail(undefined, CONTACTS)
    const { data } = await office.run(bookAppointment, load({ referenceNumber: 'PO-1', contactEmails: [ANA, BOB] }))
    await deliver()
    received.length = 0
    await office.run(updateAppointment, { id: data.id, contactEmails: [BOB, CY], equipmentId: 'NEW-1' })
    await office.run(cancelAppointment, { id: data.id })
    await deliver()
    const got = received.map(({ to, subject }) => `${to} ${subject.split(':')[0]}`)
    expect(got.toSorted()).toEqual([
      `${ANA} Cancelled`,
      `${BOB} Cancelled`,
      `${BOB} Changed`,
      `${CY} Cancelled`,
      `${CY} Changed`,
    ])
    const lost = received.find(({ to }) => to[0] === ANA)!
    expect(lost.text).toContain('METHOD:CANCEL')
    expect(lost.text).not.toMatch(/NEW-1|cy@red/)
  })

  it('who got a mail do not get it again because the mail server refused another one', async () => {
    const { received, office, deliver } = await officeWithMail((to) => (to[0] === ANA ? 550 : null), CONTACTS)
    await office.run(bookAppointment, load({ contactEmails: [ANA, BOB, CY] }))
    for (const time of [
      '2026-11-16T14:00:01Z',
      '2026-11-16T14:10:00Z',
      '2026-11-16T15:10:00Z',
      '2026-11-16T18:10:00Z',
    ]) {
      office.at(time)
      await deliver()
    }
    expect(received.map(({ to }) => to[0])).toEqual([BOB, CY])
  })

  it('read nothing that is only for the site', async () => {
    const { received, office, deliver } = await officeWithMail(undefined, CONTACTS)
    await office.run(updateFacility, { id: 'DC1', customFields: [{ name: 'margin', seenBy: 'site' }] })
    const secret = { siteFields: { margin: 'SECRET-9' } }
    const { data } = await office.run(bookAppointment, load({ contactEmails: [ANA], ...secret }))
    await office.run(updateAppointment, { id: data.id, siteFields: { margin: 'SECRET-10' } })
    await office.run(cancelAppointment, { id: data.id })
    await deliver()
    expect(received.map(({ subject }) => subject.split(':')[0])).toEqual(['Booked', 'Cancelled'])
    for (const { text } of received) expect(text).not.toContain('SECRET')
  })
})
