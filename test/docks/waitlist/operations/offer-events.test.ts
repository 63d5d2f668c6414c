import { describe, expect, it } from 'vitest'
import { bookAppointment } from '../../../../src/docks/booking/operations/book-appointment'
import { cancelAppointment } from '../../../../src/docks/booking/operations/cancel-appointment'
import { confirmHold } from '../../../../src/docks/booking/operations/confirm-hold'
import { releaseHold } from '../../../../src/docks/booking/operations/release-hold'
import { addWebhook } from '../../../../src/docks/events/operations/add-webhook'
import { deliverWebhooks } from '../../../../src/docks/events/operations/deliver-webhooks'
import { listDeadLetters } from '../../../../src/docks/events/operations/list-dead-letters'
import { removeWebhook } from '../../../../src/docks/events/operations/remove-webhook'
import { replayWebhook } from '../../../../src/docks/events/operations/replay-webhook'
import { setMailTemplate } from '../../../../src/docks/events/operations/set-mail-template'
import { deliverWebhooks as deliver } from '../../../../src/docks/events/services/deliver-webhooks'
import { closeFacility } from '../../../../src/docks/facilities/operations/close-facility'
import { docksTables } from '../../../../src/docks/queries/docks-tables'
import { acceptOffer } from '../../../../src/docks/waitlist/operations/accept-offer'
import { addToWaitlist } from '../../../../src/docks/waitlist/operations/add-to-waitlist'
import { declineOffer } from '../../../../src/docks/waitlist/operations/decline-offer'
import { offerSlots } from '../../../../src/docks/waitlist/operations/offer-slots'
import { removeFromWaitlist } from '../../../../src/docks/waitlist/operations/remove-from-waitlist'
import { startMailServer } from '../../../mail/mail-server'
import { load, noMail, officeWith } from '../../dock-fixtures'
import { createSender, REFUSED } from '../../events/webhook-fixtures'

/** One slot on Tuesday, 17 November, at 09:00, and a webhook for the events of the waitlist. */
async function open({
  url = 'https://acme.example/',
  refuse,
  ...more
}: {
  url?: string
  carrierName?: string
  refuse?: Parameters<typeof startMailServer>[0]
} = {}) {
  const mails = await startMailServer(refuse)
  const office = await officeWith({
    doors: [{ name: 'Door 1' }],
    queues: [{ days: ['tue'], start: '09:00', end: '10:00' }],
    breaks: [],
  })
  const ctx = {
    ...office.ctx,
    webhooks: { allowedNetworks: [] },
    mail: { url: mails.url(), from: 'docks@north.example' },
    findPublicUrl: (): string | null => 'https://docks.example',
  }
  const webhook: any = await office.run(addWebhook as any, { url, ...more }, ctx as never)
  const { sender, accepted } = createSender()
  /** The events since the last call, as `[type, cause]`, and as the receiver got them. */
  const receive = async () => {
    accepted.length = 0
    const types: string[] = []
    const recorder = {
      ...sender,
      send: (...args: Parameters<typeof sender.send>) => {
        types.push(JSON.parse(args[1].body).type)
        return sender.send(...args)
      },
    }
    await deliver(ctx, { sender: recorder, mail: noMail, publicUrl: null, isOnce: true })
    return { happened: accepted.map(({ cause }, index) => [types[index], cause]), data: [...accepted] }
  }
  const wait = async (changes = {}) =>
    (await office.run(addToWaitlist, load({ targetDate: '2026-11-17', ...changes }))).data
  const countStored = () =>
    office.db
      .read((tx) => docksTables(tx).selectFrom('waitlist_event').select('id').execute())
      .then((rows) => rows.length)
  const deliverMails = () => office.run(deliverWebhooks as any, {}, ctx as never)
  return { office, ctx, webhook, receive, wait, countStored, mails, deliverMails }
}

describe('the events of the waitlist', () => {
  it('are an offer with its slot, and why it ended', async () => {
    const { wait, receive, office } = await open()
    const entry = await wait({ referenceNumber: 'PO-1', palletCount: 12, siteFields: undefined })
    const { happened, data } = await receive()
    expect(happened).toEqual([['waitlist.offered', null]])
    expect(data[0]).toMatchObject({
      entry: { id: entry.id, facilityCode: 'DC1', facilityName: 'North', referenceNumber: 'PO-1', palletCount: 12 },
      offer: entry.offer,
    })
    await office.run(declineOffer, { id: entry.id })
    expect((await receive()).happened).toEqual([['waitlist.offer_ended', 'declined']])
  })

  const ends: [string, (given: Awaited<ReturnType<typeof open>>, entry: any) => Promise<unknown>, string[][]][] = [
    [
      'accepted',
      ({ office }, { id }) => office.run(acceptOffer, { id }),
      [
        ['waitlist.removed', 'accepted'],
        ['appointment.booked', undefined!],
      ],
    ],
    [
      'accepted as a hold',
      ({ office }, { offer, referenceNumber }) =>
        office.run(confirmHold, { id: offer.holdId, carrierName: 'Blue Freight', referenceNumber }),
      [
        ['waitlist.removed', 'accepted'],
        ['appointment.booked', undefined!],
      ],
    ],
    [
      'released as a hold',
      ({ office }, { offer }) => office.run(releaseHold, { id: offer.holdId }),
      [['waitlist.offer_ended', 'declined']],
    ],
    ['removed', ({ office }, { id }) => office.run(removeFromWaitlist, { id }), [['waitlist.removed', 'removed']]],
    [
      'expired',
      ({ office }) => {
        office.at('2026-11-17T14:59:00.000Z')
        return office.run(offerSlots, {})
      },
      [['waitlist.offer_ended', 'expired']],
    ],
    [
      'over',
      ({ office }) => {
        office.at('2026-11-18T15:00:00.000Z')
        return office.run(offerSlots, {})
      },
      [
        ['waitlist.offer_ended', 'expired'],
        ['waitlist.removed', 'over'],
      ],
    ],
    [
      'withdrawn by the facility',
      ({ office }) =>
        office.run(closeFacility, { id: 'DC1', from: '2026-11-17', to: '2026-11-17', reason: 'Storm' } as never),
      [['waitlist.offer_ended', 'withdrawn']],
    ],
  ]
  it.each(ends)('say that an offer was %s, once', async (_, end, expected) => {
    const given = await open()
    const entry = await given.wait()
    await given.receive()
    await end(given, entry)
    const { happened } = await given.receive()
    expect(happened.map(([type, cause]) => `${type} ${cause}`).sort()).toEqual(
      expected.map(([type, cause]) => `${type} ${cause}`).sort(),
    )
    expect((await given.receive()).happened).toEqual([])
    expect(await given.countStored()).toBe(0)
  })

  it('say that the reference of an entry was booked otherwise', async () => {
    const { office, wait, receive } = await open()
    const first = await wait({ referenceNumber: 'PO-1' })
    const second = await wait({ referenceNumber: 'PO-2' })
    await office.run(acceptOffer, { id: first.id })
    await receive()
    const { data: moved } = await office.run(
      bookAppointment,
      load({ referenceNumber: 'PO-2', targetDate: '2026-11-24' }),
    )
    await office.run(offerSlots, {})
    const { happened, data } = await receive()
    expect(happened).toContainEqual(['waitlist.removed', 'booked'])
    expect(data.find(({ cause }) => cause === 'booked')).toMatchObject({ entry: { id: second.id }, offer: null })
    await office.run(cancelAppointment, { id: moved.id })
  })

  it('are those of its carrier for a webhook of a carrier, without what is only for the site', async () => {
    const { wait, receive, office } = await open({ carrierName: 'Blue Freight' })
    const red = await wait({ carrierName: 'Red Line' })
    expect((await receive()).happened).toEqual([])
    await office.run(removeFromWaitlist, { id: red.id })
    await wait({ carrierName: 'Blue Freight' })
    const { happened, data } = await receive()
    expect(happened).toEqual([['waitlist.offered', null]])
    expect(data[0].entry.siteFields).toBeNull()
  })

  it('are not stored if no webhook wants them, and removed with the webhook', async () => {
    const { wait, countStored, office, webhook } = await open()
    await wait()
    expect(await countStored()).toBe(1)
    await office.run(removeWebhook, { id: webhook.id })
    expect(await countStored()).toBe(0)
    await wait()
    expect(await countStored()).toBe(0)
  })

  it('that were given up are listed with their entry and sent again', async () => {
    const { ctx, office, webhook, wait, receive } = await open()
    const entry = await wait()
    for (let attempt = 0; attempt < 10; attempt++) {
      await deliver(ctx, { sender: createSender(() => REFUSED).sender, mail: noMail, publicUrl: null, isOnce: true })
      office.at(new Date(ctx.clock.now() + 86_400_000).toISOString())
    }
    const dead = await office.run(listDeadLetters, { id: webhook.id })
    expect(dead).toMatchObject([{ eventId: 'w1', event: 'waitlist.offered', entryId: entry.id, appointmentId: null }])
    expect(await office.run(replayWebhook, { id: webhook.id, eventId: 'w1' })).toMatchObject({ replayed: 1 })
    expect((await receive()).happened).toEqual([['waitlist.offered', null]])
  })
})

describe('the mail of an offer', () => {
  const contacts = { contactEmails: ['ana@blue.example', 'ben@blue.example'] }
  const linksIn = (text: string) =>
    [...text.replace(/=\r?\n/g, '').matchAll(/https:\/\/docks\.example\/\S+/g)].map(([link]) => link)

  it('goes to the contacts of the entry once, each with links of its own, also if the mail server refuses some at first', async () => {
    let isRefusing = true
    const refuse = (to: readonly string[]) => (isRefusing && to[0] === 'ben@blue.example' ? 451 : null)
    const { wait, deliverMails, mails, office, ctx } = await open({ url: 'contacts', refuse })
    const entry = await wait({ referenceNumber: 'PO-1', ...contacts })
    await deliverMails()
    expect(mails.received.map(({ to }) => to[0])).toEqual(['ana@blue.example'])
    isRefusing = false
    office.at(new Date(ctx.clock.now() + 600_000).toISOString())
    await deliverMails()
    expect(mails.received.map(({ to }) => to[0]).sort()).toEqual(contacts.contactEmails)
    expect(mails.received[0]).toMatchObject({
      subject: 'Slot offered: PO-1, Tue, 17 Nov 2026, 09:00 (America/Chicago) at North, Door 1',
    })
    const links = mails.received.map(({ text }) => linksIn(text))
    expect(new Set(links.flat()).size).toBeGreaterThanOrEqual(4)
    expect(links.flat().every((link) => link.includes(`#studio_offer_.${entry.offer!.holdId}.`))).toBe(true)
    expect(mails.received[0]!.text).not.toContain('BEGIN:VCALENDAR')
    office.at(new Date(ctx.clock.now() + 1000).toISOString())
    await office.run(declineOffer, { id: entry.id })
    await deliverMails()
    expect(mails.received.slice(2).map(({ subject }) => subject)).toEqual(
      Array(2).fill('Offer ended: PO-1, Tue, 17 Nov 2026, 09:00 (America/Chicago) at North, Door 1'),
    )
    expect(linksIn(mails.received[2]!.text)).toEqual([])
  })

  it('has no links without a public address, and says what to do', async () => {
    const { wait, mails, office, ctx } = await open({ url: 'contacts' })
    await wait({ contactEmails: ['ana@blue.example'] })
    await office.run(deliverWebhooks as any, {}, { ...ctx, findPublicUrl: () => null } as never)
    expect(mails.received[0]!.text).toContain('Accept it: please tell the site')
    expect(mails.received[0]!.text).not.toContain('#studio_offer_')
  })

  it('is not sent after the offer has expired', async () => {
    const { wait, mails, office, deliverMails } = await open({ url: 'contacts' })
    const { offer } = await wait({ referenceNumber: 'PO-1', contactEmails: ['ana@blue.example'] })
    office.at(offer!.expiresAt)
    expect(await deliverMails()).toMatchObject({ delivered: 1, failed: 0 })
    expect(mails.received).toEqual([])
  })

  it('is not sent when the offer is accepted, because the booking has its own', async () => {
    const { wait, mails, office, deliverMails } = await open({ url: 'contacts' })
    const entry = await wait({ contactEmails: ['ana@blue.example'] })
    await office.run(acceptOffer, { id: entry.id })
    await deliverMails()
    expect(mails.received.map(({ subject }) => subject.split(':')[0])).toEqual(['Slot offered', 'Booked'])
  })

  it('says that no slot became free when the dates are over', async () => {
    const { office, wait, mails, deliverMails } = await open({ url: 'contacts' })
    await office.run(bookAppointment, load({ targetDate: '2026-11-17' }))
    await wait({ referenceNumber: 'PO-2', contactEmails: ['ana@blue.example'] })
    office.at('2026-11-18T15:00:00.000Z')
    await office.run(offerSlots, {})
    await deliverMails()
    expect(mails.received[0]).toMatchObject({ subject: 'Off the waitlist: PO-2 at North' })
    expect(mails.received[0]!.text).toContain('no slot became free before its last date')
  })

  it('says what the template of the tenant says', async () => {
    const { office, wait, mails, deliverMails } = await open({ url: 'contacts' })
    await office.run(setMailTemplate, {
      id: 'offer',
      subject: 'Frei: {{reference}}',
      text: 'Ja: {{accept_link}} bis {{expires}}',
    })
    await wait({ referenceNumber: 'PO-2', contactEmails: ['ana@blue.example'] })
    await deliverMails()
    expect(mails.received[0]!.subject).toBe('Frei: PO-2')
    expect(linksIn(mails.received[0]!.text)[0]).toContain('https://docks.example/console/offer/accept#studio_offer_')
  })
})
