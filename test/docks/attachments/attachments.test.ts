import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { findTenantId } from '../../../src/access'
import { addAttachment } from '../../../src/docks/attachments/operations/add-attachment'
import { getAttachment } from '../../../src/docks/attachments/operations/get-attachment'
import { listAttachments } from '../../../src/docks/attachments/operations/list-attachments'
import { removeAttachment } from '../../../src/docks/attachments/operations/remove-attachment'
import { bookAppointment } from '../../../src/docks/booking/operations/book-appointment'
import { cancelAppointment } from '../../../src/docks/booking/operations/cancel-appointment'
import { getAppointment } from '../../../src/docks/booking/operations/get-appointment'
import { showHistory } from '../../../src/docks/booking/operations/show-history'
import { updateAppointment } from '../../../src/docks/booking/operations/update-appointment'
import { addWebhook } from '../../../src/docks/events/operations/add-webhook'
import { deliverWebhooks } from '../../../src/docks/events/operations/deliver-webhooks'
import { listEvents } from '../../../src/docks/events/operations/list-events'
import { deleteFacility } from '../../../src/docks/facilities/operations/delete-facility'
import { reportFacility } from '../../../src/docks/reports/operations/report-facility'
import { dockCaller } from '../../dock-caller'
import { startMailServer } from '../../mail/mail-server'
import { load, officeWith } from '../dock-fixtures'
import { files, MAX_BYTES, toBase64 } from './attachment-files'

async function openOffice(facility: object = {}) {
  const office = await officeWith(facility as Record<string, unknown>)
  const { data } = await office.run(bookAppointment, load({ referenceNumber: 'PO-1', carrierName: 'Acme' }))
  const attach = async (input: object = {}, ctx = office.ctx) =>
    (await office.run(addAttachment, { id: data.id, content: toBase64(files.pdf), ...input }, ctx)).data
  const list = () => office.run(listAttachments, { id: data.id })
  return { ...office, id: data.id, attach, list }
}

describe('an attachment', () => {
  it('is stored as it was sent, with who added it', async () => {
    const { attach, list, run } = await openOffice()
    const bytes = Buffer.concat([files.jpeg, Buffer.from([0, 255, 10, 13, 0])])
    const added = await attach({ content: toBase64(bytes), name: 'bol.jpg', note: 'Signed' })
    expect(added).toMatchObject({
      name: 'bol.jpg',
      type: 'image/jpeg',
      bytes: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      note: 'Signed',
      addedAt: '2026-11-16T14:00:00.000Z',
      addedBy: 'terminal',
    })
    expect(await list()).toEqual([added])
    expect(await run(getAttachment, { id: added.id })).toEqual({ ...added, content: toBase64(bytes) })
  })

  it.each(Object.entries(files))('may be a %s, whatever its name says', async (kind, bytes) => {
    const { attach } = await openOffice()
    const added = await attach({ content: toBase64(bytes), name: 'page.html' })
    expect(added.type.split('/')[1]).toBe(kind)
    expect(added.name).toMatch(/^page\.html\.(pdf|jpg|png|webp|heic)$/)
  })

  it.each([
    ['nothing', ''],
    ['a page', '<!doctype html><script>alert(1)</script>'],
    ['a drawing with a script', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
    ['a page before a PDF', '<html>%PDF-1.7'],
    ['a GIF', 'GIF89a<script>'],
    ['a sound file', 'RIFF\0\0\0\0WAVEfmt '],
    ['a film', '\0\0\0\x18ftypisom\0\0'],
    ['the word of a PDF', '%PDF-'],
  ])('is not %s', async (_, text) => {
    const { id, refusal, list } = await openOffice()
    const error = await refusal(addAttachment, {
      id,
      name: 'photo.jpg',
      content: toBase64(Buffer.from(text, 'latin1')),
    })
    expect(error.details).toEqual([
      { path: 'content', message: 'must be a PDF, or a picture in JPEG, PNG, WebP or HEIC' },
    ])
    expect(await list()).toEqual([])
  })

  it.each(['not base64!', 'JVBERi0xLjQ', 'JVBERi0x=LjQK', 'JVBERi0xLjQK\n'])(
    'is sent in Base64, not as %j',
    async (content) => {
      const { id, refusal } = await openOffice()
      expect((await refusal(addAttachment, { id, content })).details).toEqual([
        { path: 'content', message: 'must be in Base64' },
      ])
    },
  )

  it('has at most 5 MiB', async () => {
    const { attach, run, refusal, id } = await openOffice()
    const largest = Buffer.concat([files.pdf, Buffer.alloc(MAX_BYTES - files.pdf.length, 7)])
    const added = await attach({ content: toBase64(largest) })
    expect(added.bytes).toBe(MAX_BYTES)
    const { content } = await run(getAttachment, { id: added.id })
    expect(Buffer.from(content, 'base64').equals(largest)).toBe(true)
    const larger = toBase64(Buffer.concat([largest, Buffer.from('x')]))
    expect((await refusal(addAttachment, { id, content: larger })).details).toEqual([
      { path: 'content', message: 'must be at most 5 MiB' },
    ])
  })

  it('is one of ten, however many are sent at the same time', async () => {
    const { attach, list } = await openOffice()
    const sent = await Promise.allSettled(Array.from({ length: 14 }, () => attach()))
    expect(sent.filter(({ status }) => status === 'fulfilled')).toHaveLength(10)
    const [refused] = sent.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
    expect(refused).toMatchObject({ code: 'conflict', message: 'PO-1 has 10 attachments already.' })
    expect(await list()).toHaveLength(10)
  })

  it('is removed once, and makes room for another', async () => {
    const { attach, list, run, refusal } = await openOffice()
    const all = await Promise.all(Array.from({ length: 10 }, () => attach()))
    const removals = await Promise.allSettled([1, 2, 3].map(() => run(removeAttachment, { id: all[3]!.id })))
    expect(removals.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect((await refusal(getAttachment, { id: all[3]!.id })).code).toBe('not_found')
    expect(await list()).toHaveLength(9)
    await attach()
    expect(await list()).toHaveLength(10)
  })

  it('is in the history and the events, and leaves the appointment as it was', async () => {
    const { attach, run, id, at } = await openOffice()
    await run(updateAppointment, { id, palletCount: 3 })
    const before = await run(getAppointment, { id })
    at('2026-11-16T15:00:00Z')
    const { id: attachmentId } = await attach({ name: 'bol.pdf' })
    await run(removeAttachment, { id: attachmentId })
    expect(await run(getAppointment, { id })).toEqual(before)
    const history = await run(showHistory, { id })
    expect(history.slice(2).map(({ kind, note, by }) => [kind, note, by])).toEqual([
      ['file_added', 'bol.pdf', 'terminal'],
      ['file_removed', 'bol.pdf', 'terminal'],
    ])
    await run(updateAppointment, { id, palletCount: 4 })
    const { events } = await run(listEvents, { since: 0 })
    expect(
      events.map(({ event, data: { appointment } }) => [event, appointment.sequence, appointment.palletCount]),
    ).toEqual([
      ['appointment.booked', 0, null],
      ['appointment.updated', 1, 3],
      ['appointment.file_added', 1, 3],
      ['appointment.file_removed', 1, 3],
      ['appointment.updated', 2, 4],
    ])
    expect(events[2]!.data.appointment.updatedAt).toBe(events[1]!.timestamp)
  })

  it('does not change the figures of the report', async () => {
    const { attach, run } = await openOffice()
    const report = () => run(reportFacility, { id: 'DC1', startDate: '2026-11-17', endDate: '2026-11-17' })
    const before = await report()
    await attach()
    expect(await report()).toEqual(before)
  })

  it('sends no mail to the contacts', async () => {
    const { received, url } = await startMailServer()
    const { attach, run, ctx, id } = await openOffice()
    const mailing = {
      ...ctx,
      webhooks: { allowedNetworks: [] },
      findPublicUrl: () => null,
      mail: { url: url(), from: 'docks@north.example' },
    } as any
    await run(addWebhook as any, { url: 'contacts' }, mailing)
    await attach()
    await run(updateAppointment, { id, contactEmails: ['ana@acme.example'] })
    await run(deliverWebhooks as any, {}, mailing)
    expect(received.map(({ subject }) => subject.split(':')[0])).toEqual(['Changed'])
  })
})

describe('who may use attachments', () => {
  const AS_ACME = { role: 'clerk', carrier: 'Acme' } as const

  it.each([
    ['viewer', ['list', 'get']],
    ['gate', ['list', 'get', 'add']],
    ['clerk', ['list', 'get', 'add', 'remove']],
  ] as const)('a %s may: %j', async (role, allowed) => {
    const { as, run, id, attach, tenantId } = await withTenant()
    const added = await attach()
    const ctx = as(dockCaller({ tenantId, role }))
    const calls = {
      list: () => run(listAttachments, { id }, ctx),
      get: () => run(getAttachment, { id: added.id }, ctx),
      add: () => attach({}, ctx),
      remove: () => run(removeAttachment, { id: added.id }, ctx),
    }
    const outcomes = await Promise.all(
      Object.entries(calls).map(async ([name, call]) => {
        const code = await call().then(
          () => name,
          (error) => error.code,
        )
        return code === 'forbidden' ? [] : [code]
      }),
    )
    expect(outcomes.flat()).toEqual(allowed)
  })

  it('a carrier adds and reads files of its own appointments, and removes none', async () => {
    const { as, run, id, attach, tenantId, refusal } = await withTenant()
    const ctx = as(dockCaller({ tenantId, ...AS_ACME }))
    const added = await attach({}, ctx)
    expect(await run(listAttachments, { id }, ctx)).toEqual([added])
    expect((await refusal(removeAttachment, { id: added.id }, ctx)).code).toBe('forbidden')
  })

  it.each(['another carrier', 'another tenant'])('%s finds neither the appointment nor the file', async (who) => {
    const { as, id, attach, tenantId, refusal, list } = await withTenant()
    const added = await attach()
    const caller =
      who === 'another carrier' ? { tenantId, role: 'clerk', carrier: 'Bolt' } : { tenantId: 'other', role: 'admin' }
    const ctx = as(dockCaller(caller as never))
    const unknown = '11111111-1111-4111-8111-111111111111'
    const codes = [
      await refusal(listAttachments, { id }, ctx),
      await refusal(addAttachment, { id, content: toBase64(files.pdf) }, ctx),
      await refusal(getAttachment, { id: added.id }, ctx),
      await refusal(getAttachment, { id: unknown }, ctx),
    ]
    expect(codes.map(({ code }) => code)).toEqual(Array(4).fill('not_found'))
    expect(codes[2]!.message.replace(added.id, '')).toBe(codes[3]!.message.replace(unknown, ''))
    expect(await list()).toEqual([added])
  })

  it('no one adds a file at a deleted facility, and those that exist can be read', async () => {
    const { attach, run, refusal, id, list } = await openOffice()
    const added = await attach()
    await run(cancelAppointment, { id })
    await run(deleteFacility, { id: 'DC1' })
    expect((await refusal(addAttachment, { id, content: toBase64(files.pdf) })).code).toBe('not_found')
    expect(await list()).toEqual([added])
  })

  async function withTenant() {
    const office = await openOffice()
    const tenantId = await office.db.read((tx) => findTenantId(office.ctx, tx))
    return { ...office, tenantId: tenantId! }
  }
})
