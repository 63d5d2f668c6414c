import { expect, it } from 'vitest'
import { type ConsoleServed, servedConsole } from './console-fixtures'

async function asAdministrator(given: Parameters<typeof servedConsole>[0] = {}) {
  const service = await servedConsole({ local: false, ...given })
  const cookie = await service.signIn((await service.run('sessions.create-link', {})).path.split('#')[1])
  const send = (operation: string, fields: object) => service.send(`/console/run/${operation}`, fields, cookie)
  const show = async (page: string) => (await service.open(`/console/settings/${page}`, cookie)).text
  return { ...service, cookie, send, show }
}

async function withRole(service: ConsoleServed, role: string): Promise<string> {
  return service.signIn((await service.run('tokens.create', { name: role, role })).token)
}

it('the people who sign in by mail are added, changed and removed', async () => {
  const { run, send, show } = await asAdministrator()
  expect(await show('people')).toContain('No one is listed yet')
  expect((await send('people.add', { email: 'Lee@example.com', role: 'reader' })).status).toBe(200)
  expect(await show('people')).toContain('lee@example.com')
  const drawn = { 'drawn.role': 'reader', 'drawn.name': '' }
  await send('people.update', { email: 'lee@example.com', role: 'editor', name: '', ...drawn })
  expect(await run('people.list', {})).toMatchObject([{ email: 'lee@example.com', role: 'editor' }])
  await send('people.remove', { email: 'lee@example.com' })
  expect(await run('people.list', {})).toEqual([])
})

it('the settings of the trackers are shown with where they are set, and no secret is', async () => {
  const config = {
    trackers: {
      gh: { kind: 'github', url: 'https://github.com/acme', project: 'harbor', tokenCommand: 'print-it hidden-word' },
    },
  }
  const env = { STUDIO_TRACKER_TOKEN_GH: 'hidden-word' }
  const { show, send } = await asAdministrator({ config, env })
  const text = await show('trackers')
  expect(text).toContain('https://github.com/acme')
  expect(text).toContain('STUDIO_TRACKER_TOKEN_GH')
  expect(text).toContain('The sandbox takes its place')
  expect(text).not.toContain('hidden-word')
  expect((await send('items.metadata', {})).body.html).toContain('The tracker answers')
})

it('the entries of the audit are downloaded as lines of JSON', async () => {
  const service = await asAdministrator()
  await service.run('tokens.create', { name: 'one' })
  const { status, headers, text } = await service.open(
    '/console/settings/audit/export?operation=tokens',
    service.cookie,
  )
  expect([status, headers['content-disposition']]).toEqual([200, 'attachment; filename="audit.ndjson"'])
  const lines = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(lines).toMatchObject([{ operation: 'tokens.create' }, { event: 'done', entries: 1 }])
  const wrong = await service.open('/console/settings/audit/export?outcome=never', service.cookie)
  expect(wrong.status).toBe(400)
})

it('the storage is shown, and the search index is built again', async () => {
  const { show, send, run } = await asAdministrator()
  expect(await show('storage')).toContain('Build it again')
  expect((await send('search.reindex', {})).status).toBe(200)
  expect(await run('audit.list', { operation: 'search.reindex' })).toHaveLength(1)
})

it.each(['people', 'trackers', 'storage', 'audit', 'audit/export', 'system'])(
  'the page %s is for administrators of the service alone',
  async (page) => {
    const service = await asAdministrator()
    for (const cookie of [await withRole(service, 'publisher'), await service.signIn(await service.key('admin'))])
      expect([401, 403]).toContain((await service.open(`/console/settings/${page}`, cookie)).status)
  },
)
