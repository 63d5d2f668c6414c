import { describe, expect, it } from 'vitest'
import { openFacility, servedConsole } from './console-fixtures'

const page = '/console/settings/messages'

/** What a browser sends if nothing is typed into the form of the page that has these texts. */
function readForm(text: string, ...having: string[]): Record<string, string> {
  const form = text.split('<form').find((part) => having.every((word) => part.includes(word)))!
  const drawn = [...form.matchAll(/<input[^>]* name="([^"]+)" value="([^"]*)"/g)].map(([, name, value]) => [
    name,
    value,
  ])
  const typed = [...form.matchAll(/<input name="([^"]+)"[^>]* value="([^"]*)"/g)].map(([, name, value]) => [
    name,
    value,
  ])
  const chosen = [...form.matchAll(/<select name="([^"]+)"[^>]*>(.*?)<\/select>/gs)].map(([, name, options]) => [
    name,
    (options!.match(/value="([^"]*)" selected/) ?? options!.match(/value="([^"]*)"/))![1],
  ])
  const areas = [...form.matchAll(/<textarea name="([^"]+)"[^>]*>\n?([^<]*)</g)].map(([, name, value]) => [name, value])
  return Object.fromEntries([...drawn, ...typed, ...chosen, ...areas])
}
const URL_OF_TMS = 'https://tms.example.com/in'

async function open() {
  const service = await servedConsole()
  await openFacility(service)
  const { path } = await service.run('sessions.create-link', { scope: 'admin', tenant: 'default' })
  const cookie = await service.signIn(path.split('#')[1])
  const send = (operation: string, fields: Record<string, string>) =>
    service.send(`/console/run/${operation}`, { next: page, ...fields }, cookie)
  const show = async (query = '') => (await service.open(`${page}${query}`, cookie)).text
  return { ...service, cookie, send, show }
}

describe('the page of webhooks and mails', () => {
  it('adds a webhook, shows its secret once, and changes and removes it', async () => {
    const { run, send, show } = await open()
    const added = await send('webhooks.add', {
      url: URL_OF_TMS,
      facility: '',
      carrierName: 'Acme',
      'events[]': 'appointment.booked',
    })
    expect(added.body.html).toMatch(/whsec_/)
    const [{ id }] = await run('webhooks.list', {})
    const text = await show()
    expect(text).toContain('booked; Acme')
    expect(text).not.toMatch(/whsec_/)
    await send('webhooks.update', { id, url: 'https://tms.example.com/v2' })
    expect(await run('webhooks.list', {})).toMatchObject([{ carrierName: 'Acme', events: ['appointment.booked'] }])
    await send('webhooks.update', { id, url: URL_OF_TMS, facility: '', carrierName: '', 'events[]': '' })
    expect(await run('webhooks.list', {})).toMatchObject([{ carrierName: null, events: null, facilityId: null }])
    expect((await send('webhooks.rotate-secret', { id })).body.html).toMatch(/whsec_/)
    await send('webhooks.remove', { id })
    expect(await run('webhooks.list', {})).toEqual([])
  })

  it('changes only what was typed, also when another admin has changed the webhook since', async () => {
    const { run, send, show } = await open()
    const { id } = await run('webhooks.add', { url: URL_OF_TMS, events: ['appointment.booked'] })
    const form = readForm(await show(), 'webhooks.update', id)
    await run('webhooks.update', { id, carrierName: 'Acme', events: ['appointment.cancelled', 'appointment.reminded'] })
    const sent = await send('webhooks.update', {
      ...form,
      'events[]': 'appointment.booked',
      url: 'https://tms.example.com/v2',
    })
    expect(sent.status).toBe(200)
    expect(await run('webhooks.list', {})).toMatchObject([
      {
        url: 'https://tms.example.com/v2',
        carrierName: 'Acme',
        events: ['appointment.cancelled', 'appointment.reminded'],
      },
    ])
  })

  it('adds a webhook for text messages, never shows its authorization, and changes and tests it', async () => {
    const { run, send, show } = await open()
    const body = '{\n  "to": "{{phone}}",\n  "text": "{{text}}"\n}'
    await send('webhooks.add', {
      url: URL_OF_TMS,
      bodyTemplate: body.replaceAll('\n', '\r\n'),
      authorization: 'Bearer abc',
    })
    const [{ id }] = await run('webhooks.list', {})
    const text = await show()
    expect(text).toContain('text messages, authorization set')
    expect(text).not.toContain('Bearer abc')
    const form = readForm(text, 'webhooks.update', id)
    await run('webhooks.update', { id, bodyTemplate: 'To={{phone}}', authorization: 'Bearer other' })
    await send('webhooks.update', { ...form, carrierName: 'Acme' })
    expect(await run('webhooks.list', {})).toMatchObject([
      { carrierName: 'Acme', bodyTemplate: 'To={{phone}}', hasAuthorization: true },
    ])
    expect((await send('webhooks.update', { ...form, bodyTemplate: '{"to":{{phone}}}' })).status).toBe(409)
    const fresh = readForm(await show(), 'webhooks.update', id)
    expect((await send('webhooks.update', { ...fresh, bodyTemplate: '{"to":{{phone}}}' })).status).toBe(400)
    const moved = { ...fresh, url: 'https://other.example.com/', authorization: '' }
    expect((await send('webhooks.update', moved)).body).toMatchObject({ details: [{ path: 'url' }] })
    expect((await send('webhooks.test', { id, phone: '' })).status).toBe(400)
  })

  it('leaves a webhook of a deleted facility at that facility', async () => {
    const { run, send, show } = await open()
    const { id } = await run('webhooks.add', { url: URL_OF_TMS, facility: 'DC1' })
    const [{ facilityId }] = await run('webhooks.list', {})
    await run('facilities.delete', { id: 'DC1' })
    const form = readForm(await show(), 'webhooks.update', id)
    expect((await send('webhooks.update', { ...form, url: 'https://tms.example.com/v2' })).status).toBe(200)
    expect(await run('webhooks.list', {})).toMatchObject([{ url: 'https://tms.example.com/v2', facilityId }])
  })

  it('adds a webhook for everything if no filter is filled in', async () => {
    const { run, send } = await open()
    const empty = { url: URL_OF_TMS, facility: '', carrierName: '', 'events[]': '' }
    expect((await send('webhooks.add', empty)).status).toBe(200)
    expect(await run('webhooks.list', {})).toMatchObject([{ carrierName: null, events: null, facilityId: null }])
  })

  it('replaces, shows and resets a mail', async () => {
    const { run, send, show } = await open()
    await send('mail-templates.set', { id: 'booked', subject: 'Gate: {{reference}}', text: 'Come to <b>{{door}}</b>' })
    expect(await show()).toContain('booked (your own)')
    const { html } = (
      await send('mail-templates.preview', {
        id: 'booked',
        subject: 'Dock: {{reference}}',
        text: 'Come to <b>{{door}}</b>',
      })
    ).body
    expect([html.includes('Dock: PO-1001'), html.includes('&lt;b&gt;Door 1&lt;/b&gt;')]).toEqual([true, true])
    expect((await send('mail-templates.set', { id: 'booked', subject: '{{door', text: 'x' })).status).toBe(400)
    await send('mail-templates.reset', { id: 'booked' })
    expect(await run('mail-templates.get', { id: 'booked' })).toMatchObject({ own: false })
  })

  it('saves and previews only what was typed, also when another admin has changed the mail since', async () => {
    const { run, send, show } = await open()
    await run('mail-templates.set', { id: 'reminder', subject: 'First', text: 'One\nTwo' })
    const form = readForm(await show(), 'mail-templates.set', 'First')
    await run('mail-templates.set', { id: 'reminder', text: 'Three' })
    const sent = { ...form, subject: 'Second' }
    expect((await send('mail-templates.preview', sent)).body.html).toMatch(/Second[\s\S]*Three/)
    expect((await send('mail-templates.set', sent)).status).toBe(200)
    expect(await run('mail-templates.get', { id: 'reminder' })).toMatchObject({ subject: 'Second', text: 'Three' })
  })

  it('is for an admin of the docks', async () => {
    const { run, signIn, open: load } = await open()
    const { path } = await run('sessions.create-link', { scope: 'write', tenant: 'default' })
    const cookie = await signIn(path.split('#')[1])
    expect((await load(page, cookie)).status).toBe(403)
  })
})

describe('the settings of a facility', () => {
  it('set, show and remove the check of its bookings', async () => {
    const { run, send, open: load, cookie } = await open()
    const { id } = await run('facilities.get', { id: 'DC1' })
    const url = 'https://wms.example.com/check'
    const set = await send('facilities.set-check', { id, url, timeoutSeconds: '3', ifAway: 'accept' })
    expect(set.body.html).toMatch(/whsec_/)
    expect(await run('facilities.get-check', { id })).toMatchObject({ url, timeoutSeconds: 3, ifAway: 'accept' })
    const settings = async () => (await load('/console/docks/DC1/settings', cookie)).text
    expect(await settings()).toContain('Remove the check')
    await send('facilities.remove-check', { id })
    expect(await settings()).not.toContain('Remove the check')
  })

  it('change only what was typed, also when another admin has changed the check since', async () => {
    const { run, send, open: load, cookie } = await open()
    const { id } = await run('facilities.get', { id: 'DC1' })
    const url = 'https://wms.example.com/check'
    await run('facilities.set-check', { id, url, ifAway: 'accept' })
    const form = readForm((await load('/console/docks/DC1/settings', cookie)).text, 'facilities.set-check')
    await run('facilities.set-check', { id, url: 'https://wms.example.com/v2', ifAway: 'refuse' })
    expect((await send('facilities.set-check', { ...form, timeoutSeconds: '9' })).status).toBe(200)
    const changed = { url: 'https://wms.example.com/v2', timeoutSeconds: 9, ifAway: 'refuse' }
    expect(await run('facilities.get-check', { id })).toMatchObject(changed)
    await run('facilities.remove-check', { id })
    expect((await send('facilities.set-check', { ...form, timeoutSeconds: '8' })).status).toBe(409)
    await expect(run('facilities.get-check', { id })).rejects.toMatchObject({ code: 'not_found' })
  })
})
