import { describe, expect, it } from 'vitest'
import { type OperationId, type Role, roles } from '../../src/kernel'
import { type ConsoleServed, servedConsole } from './console-fixtures'

/** An operation that each role adds to those before it. Its empty input is refused only where the caller may call it. */
const samples = {
  reader: { id: 'drafts.get', method: 'GET', path: '/api/stories/draft/0' },
  editor: { id: 'drafts.move', method: 'POST', path: '/api/stories/move' },
  publisher: { id: 'items.create', method: 'POST', path: '/api/devops/items' },
  admin: { id: 'tokens.create', method: 'POST', path: '/api/tokens' },
} as const satisfies Record<Role, { id: OperationId; method: string; path: string }>

const allowedTo = (role: Role) => roles.slice(0, roles.indexOf(role) + 1)

async function tokenFor({ run }: ConsoleServed, role: Role): Promise<string> {
  return (await run('tokens.create', { name: role, role })).token
}

describe.each(roles)('a %s', (role) => {
  it('may do over HTTP what the role says', async () => {
    const service = await servedConsole({ local: false })
    const headers = { authorization: `Bearer ${await tokenFor(service, role)}` }
    const allowed: Role[] = []
    for (const needed of roles) {
      const { method, path } = samples[needed]
      const { status } = await service.call(method, path, { headers, ...(method === 'POST' && { body: {} }) })
      if (status !== 403) allowed.push(needed)
    }
    expect(allowed).toEqual(allowedTo(role))
  })

  it('may do in a session of the console what the role says', async () => {
    const service = await servedConsole({ local: false })
    const cookie = await service.signIn(await tokenFor(service, role))
    const forms = { editor: 'drafts.save', admin: 'tokens.create' } as const
    const allowed: Role[] = []
    if ((await service.open('/console/work', cookie)).status === 200) allowed.push('reader')
    for (const needed of ['editor', 'admin'] as const)
      if ((await service.send(`/console/run/${forms[needed]}`, {}, cookie)).status !== 403) allowed.push(needed)
    // The console has no form that changes the tracker.
    expect(allowed).toEqual(allowedTo(role).filter((each) => each !== 'publisher'))
  })

  it('is offered the tools that the role says, and may call no others', async () => {
    const service = await servedConsole({ local: false })
    const headers = {
      authorization: `Bearer ${await tokenFor(service, role)}`,
      accept: 'application/json, text/event-stream',
    }
    const ask = async (method: string, params: object) =>
      (await service.call('POST', '/mcp', { headers, body: { jsonrpc: '2.0', id: 1, method, params } })).text
    const tools = await ask('tools/list', {})
    const offered = (['reader', 'editor', 'publisher'] as const).filter((needed) => tools.includes(samples[needed].id))
    expect(offered).toEqual(allowedTo(role).filter((each) => each !== 'admin'))
    expect(tools).not.toContain('tokens.create')
    const called = await ask('tools/call', {
      name: 'update_work_items',
      arguments: { action: 'items.create', type: 'Task', title: 'From a tool', dryRun: true },
    })
    const isOffered = offered.includes('publisher')
    expect([role, /There is no tool|is not an action/.test(called)]).toEqual([role, !isOffered])
  })
})

describe('a link for another browser', () => {
  it('may have another role with stories than at the docks', async () => {
    const service = await servedConsole({ local: false })
    const { path } = await service.run('sessions.create-link', { scope: 'write', role: 'reader' })
    const cookie = await service.signIn(path.split('#')[1])
    expect((await service.send('/console/run/drafts.save', {}, cookie)).status).toBe(403)
    expect((await service.send('/console/run/appointments.book', {}, cookie)).status).toBe(400)
    expect(await service.run('sessions.list', {})).toMatchObject([{ role: 'reader', scopes: ['read'] }])
  })
})
