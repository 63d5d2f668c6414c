import { describe, expect, it } from 'vitest'
import { files, MAX_BYTES, toBase64 } from '../../docks/attachments/attachment-files'
import { ACME, findByReference, openPortalService } from './portal-fixtures'

/** Blue Freight has an appointment with one file of the site. */
async function open() {
  const service = await openPortalService()
  const { run, enter, book, form, url, open: load } = service
  const cookie = await enter()
  expect((await book(cookie, 'PO-1')).status).toBe(200)
  const { id } = await findByReference(service, 'PO-1')
  const { data: file } = await run('attachments.add', { id, content: toBase64(files.pdf), name: 'bol.pdf' })
  const page = `/portal/appointments/${id}`
  const add = (fields: object, by = cookie) =>
    form(by, 'attachments.add', { id, content: toBase64(files.jpeg), name: 'seal.jpg', next: page, ...fields })
  const download = (attachmentId: string, by = cookie) =>
    fetch(`${url}/portal/attachments/${attachmentId}`, { headers: { cookie: by, accept: 'text/html' } })
  const list = () => run('attachments.list', { id })
  const show = async (by = cookie) => load(page, by)
  return { ...service, cookie, id, file, page, add, download, list, show }
}

describe('the attachments of an appointment in the portal', () => {
  it('are listed and downloaded, and the carrier adds its own', async () => {
    const { show, add, list, download, file, page } = await open()
    expect((await show()).text).toContain(`href="/portal/attachments/${file.id}"`)
    const sent = await download(file.id)
    expect([sent.status, sent.headers.get('content-type')]).toEqual([200, 'application/pdf'])
    expect(sent.headers.get('content-disposition')).toMatch(/^attachment; filename="bol\.pdf"/)
    expect(Buffer.from(await sent.arrayBuffer()).equals(files.pdf)).toBe(true)
    const added = await add({ note: '<b>Sealed</b>' })
    expect(added).toMatchObject({ status: 200, body: { location: `${page}?done=attachments.add` } })
    expect(await list()).toMatchObject([
      { name: 'bol.pdf' },
      { name: 'seal.jpg', note: '<b>Sealed</b>', addedBy: expect.stringContaining('portal: Blue Freight') },
    ])
    expect((await show()).text).toContain('&lt;b&gt;Sealed&lt;/b&gt;')
  })

  it('have the limits of the API: the size, the types and ten files', async () => {
    const { show, add, run, id } = await open()
    const large = toBase64(Buffer.concat([files.pdf, Buffer.alloc(MAX_BYTES - files.pdf.length)]))
    expect((await add({ content: large, name: 'large.pdf' })).status).toBe(200)
    const script = Buffer.from('<svg onload="alert(1)"/>').toString('base64')
    expect((await add({ content: script, name: 'a.png' })).status).toBe(400)
    for (let i = 0; i < 8; i++) await run('attachments.add', { id, content: toBase64(files.pdf) })
    expect((await show()).text).not.toContain('/portal/run/attachments.add')
    expect((await add({})).status).toBe(409)
  })

  it('are removed by the site alone', async () => {
    const { show, form, cookie, file, list } = await open()
    expect((await show()).text).not.toContain('attachments.remove')
    expect((await form(cookie, 'attachments.remove', { id: file.id })).status).toBe(404)
    expect(await list()).toHaveLength(1)
  })

  it('do not exist for another carrier', async () => {
    const { enter, show, add, download, file, list } = await open()
    const acme = await enter({ carrier: ACME })
    const unknown = '5f0c9a5e-2c1b-4b7e-9d53-0f6f2a8f7a10'
    const textOf = async (id: string) => {
      const answer = await download(id, acme)
      return [answer.status, (await answer.text()).replaceAll(id, '')]
    }
    expect(await textOf(file.id)).toEqual(await textOf(unknown))
    expect([(await download(file.id, acme)).status, (await show(acme)).status]).toEqual([404, 404])
    expect((await add({}, acme)).status).toBe(404)
    expect(await list()).toHaveLength(1)
  })

  it('do not exist for a carrier of the same name in another tenant', async () => {
    const { run, redeem, show, add, download, file, list } = await open()
    await run('tenants.create', { name: 'other' })
    const { link } = await run('carriers.invite', { carrier: 'Blue Freight', tenant: 'other' })
    const { headers } = await redeem(link)
    const theirs = headers['set-cookie']![0]!.split(';')[0]!
    expect([(await download(file.id, theirs)).status, (await show(theirs)).status]).toEqual([404, 404])
    expect((await add({}, theirs)).status).toBe(404)
    expect(await list()).toHaveLength(1)
  })

  it('end with the invitation, and open with no cookie of the console', async () => {
    const { run, add, show, download, file, list, cookie, signIn, key } = await open()
    const [invitation] = await run('carriers.list-invitations', {})
    const site = await signIn(await key('admin'))
    expect((await download(file.id, site)).status).toBe(401)
    await run('carriers.revoke-invitation', { id: invitation.id })
    expect([(await download(file.id, cookie)).status, (await show()).status]).toEqual([401, 401])
    expect((await add({})).status).toBe(401)
    expect(await list()).toHaveLength(1)
  })
})
