import { describe, expect, it } from 'vitest'
import type { DockRole } from '../../src/kernel'
import { openFacility, servedConsole } from './console-fixtures'

const page = '/console/docks/DC1/gate-links'

async function open(role: DockRole = 'manager', env: Record<string, string> = {}) {
  const service = await servedConsole({ local: false, env })
  await openFacility(service, { name: 'North <b>' })
  const cookie = await service.signIn(await service.key(role))
  const { id } = await service.run('facilities.get', { id: 'DC1' })
  const submit = (operation: string, fields: object) =>
    service.send(`/console/run/facilities.${operation}`, { next: page, ...fields }, cookie)
  const create = (fields: object = {}) => submit('create-gate-link', { id, ...fields })
  const show = async () => (await service.open(page, cookie)).text
  const list = () => service.run('facilities.list-gate-links', { facilityId: id })
  return { ...service, cookie, id, submit, create, show, list }
}

describe('the page of gate links', () => {
  it('shows a new link and its QR code once', async () => {
    const { create, show, list } = await open('manager', { STUDIO_PUBLIC_URL: 'https://docks.example.com' })
    const { status, body } = await create({ name: 'North gate', kiosk: 'true', expires: '30d' })
    expect([status, body.message]).toEqual([200, 'The link was created.'])
    expect(body.html).toMatch(/https:\/\/docks\.example\.com\/gate#studio_gat_\w+/)
    expect(body.html).toContain('<svg xmlns="http://www.w3.org/2000/svg"')
    expect(body.html).toContain('>North &#60;b&#62;</text>')
    expect(body.html).not.toContain('<b>')
    expect(await list()).toMatchObject([{ name: 'North gate', kiosk: true, state: 'live' }])
    const text = await show()
    expect(text).toContain('North gate')
    expect(text).toContain('a shared screen')
    expect(text).not.toContain('studio_gat_')
  })

  it('draws no code that would lead nowhere, where the service does not know its address', async () => {
    const { create } = await open()
    const { body } = await create()
    expect(body.html).toMatch(/\/gate#studio_gat_\w+/)
    expect(body.html).toContain('serve.publicUrl')
    expect(body.html).not.toContain('<svg')
  })

  it('revokes one, after a question, and all others with a new one', async () => {
    const { create, submit, show, list } = await open()
    await create({ name: 'First' })
    const [{ id }] = await list()
    expect(await show()).toContain('data-confirm="Revoke the link First?')
    expect(await submit('revoke-gate-link', { id })).toMatchObject({
      status: 200,
      body: { location: `${page}?done=facilities.revoke-gate-link` },
    })
    expect(await show()).not.toContain('/console/run/facilities.revoke-gate-link')
    await create({ name: 'Second' })
    await create({ name: 'Third', replace: 'true' })
    const states = (await list()).map(({ name, state }: { name: string; state: string }) => [name, state])
    expect(Object.fromEntries(states)).toEqual({ First: 'revoked', Second: 'revoked', Third: 'live' })
  })

  it('names the field of a wrong expiry', async () => {
    const { create, list } = await open()
    const { status, body } = await create({ expires: 'soon' })
    expect([status, body.details]).toEqual([400, [expect.objectContaining({ path: 'expires' })]])
    expect(await list()).toEqual([])
  })

  it.each(['viewer', 'gate', 'clerk'] as const)('is not for a %s, whose board does not offer it', async (role) => {
    const service = await open(role)
    expect((await service.open(page, service.cookie)).status).toBe(403)
    expect((await service.create()).status).toBe(403)
    expect((await service.open('/console/docks/DC1', service.cookie)).text).not.toContain('/gate-links')
    expect(await service.list()).toEqual([])
  })

  it('knows nothing of the facility and the links of another tenant', async () => {
    const service = await open()
    await service.create({ name: 'Ours' })
    const [{ id }] = await service.list()
    await service.run('tenants.create', { name: 'other' })
    const { key } = await service.run('tenants.create-key', { tenant: 'other', role: 'admin' })
    const cookie = await service.signIn(key)
    expect((await service.open(page, cookie)).status).toBe(404)
    for (const [operation, fields] of [
      ['create-gate-link', { id: service.id }],
      ['revoke-gate-link', { id }],
    ] as const)
      expect((await service.send(`/console/run/facilities.${operation}`, fields, cookie)).status).toBe(404)
    expect(await service.list()).toMatchObject([{ state: 'live' }])
  })
})
