import { describe, expect, it } from 'vitest'
import type { DockRole } from '../../src/kernel'
import { files, MAX_BYTES, toBase64 } from '../docks/attachments/attachment-files'
import { load } from '../docks/dock-fixtures'
import { openFacility, servedConsole } from './console-fixtures'

async function open(role: DockRole = 'clerk') {
  const service = await servedConsole({ local: false })
  const { date } = await openFacility(service)
  const { data } = await service.run('appointments.book', load({ targetDate: date }))
  const page = `/console/appointments/${data.id}`
  const cookie = await service.signIn(await service.key(role))
  const send = (operation: string, fields: object) =>
    service.send(`/console/run/${operation}`, { ...fields, next: page }, cookie)
  const show = async () => (await service.open(page, cookie)).text
  const list = () => service.run('attachments.list', { id: data.id })
  return { ...service, id: data.id, page, cookie, send, show, list }
}

const formsIn = (text: string) =>
  [...new Set([...text.matchAll(/\/console\/run\/(attachments\.\w+)/g)].map(([, id]) => id!))].sort()

describe('the attachments on the page of an appointment', () => {
  it('are added, listed as text, downloaded and removed', async () => {
    const { send, show, list, id, url, cookie, page } = await open()
    expect(await show()).toContain('No file is attached.')
    const sent = await send('attachments.add', {
      id,
      content: toBase64(files.jpeg),
      name: 'bol.jpg',
      note: '<b>Signed</b>',
    })
    expect(sent).toMatchObject({ status: 200, body: { location: `${page}?done=attachments.add` } })
    const text = await show()
    expect(text).toContain('&lt;b&gt;Signed&lt;/b&gt;')
    const [attachment] = await list()
    expect(text).toContain(`href="/console/attachments/${attachment.id}"`)
    const file = await fetch(`${url}/console/attachments/${attachment.id}`, { headers: { cookie } })
    expect(Buffer.from(await file.arrayBuffer()).equals(files.jpeg)).toBe(true)
    expect(file.headers.get('content-disposition')).toMatch(/^attachment; filename="bol\.jpg"/)
    expect(file.headers.get('content-type')).toBe('image/jpeg')
    await send('attachments.remove', { id: attachment.id })
    expect(await list()).toEqual([])
    expect(await show()).toContain('file removed')
  })

  it('may be as large as by the API', async () => {
    const { send, list, id } = await open()
    const content = toBase64(Buffer.concat([files.pdf, Buffer.alloc(MAX_BYTES - files.pdf.length)]))
    expect((await send('attachments.add', { id, content, name: 'a.pdf' })).status).toBe(200)
    expect(await list()).toMatchObject([{ bytes: MAX_BYTES }])
    expect((await send('attachments.remove', { id, content })).status).toBe(413)
  })

  it('say what is wrong with another file', async () => {
    const { send, id } = await open()
    const svg = Buffer.from('<svg onload="alert(1)"/>').toString('base64')
    expect(await send('attachments.add', { id, content: svg, name: 'a.png' })).toMatchObject({
      status: 400,
      body: { message: 'Invalid input. content: must be a PDF, or a picture in JPEG, PNG, WebP or HEIC' },
    })
  })

  it.each([
    ['viewer', []],
    ['gate', ['attachments.add']],
    ['clerk', ['attachments.add', 'attachments.remove']],
  ] as const)('offer what a %s may do', async (role, offered) => {
    const { run, id, show } = await open(role)
    await run('attachments.add', { id, content: toBase64(files.pdf) })
    expect(formsIn(await show())).toEqual(offered)
  })

  it('offer no eleventh file', async () => {
    const { run, id, show } = await open()
    for (let i = 0; i < 10; i++) await run('attachments.add', { id, content: toBase64(files.pdf) })
    expect(formsIn(await show())).toEqual(['attachments.remove'])
  })

  it('are downloaded by no one without the role or of another tenant', async () => {
    const { run, id, open: load, signIn } = await open()
    const { data } = await run('attachments.add', { id, content: toBase64(files.pdf) })
    expect((await load(`/console/attachments/${data.id}`)).status).toBe(401)
    await run('tenants.create', { name: 'other' })
    const { key } = await run('tenants.create-key', { tenant: 'other', name: 'Other', role: 'admin' })
    expect((await load(`/console/attachments/${data.id}`, await signIn(key))).status).toBe(404)
  })
})
