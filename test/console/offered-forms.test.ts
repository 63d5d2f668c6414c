import { parse } from 'parse5'
import { expect, it } from 'vitest'
import { dockRoles, roles } from '../../src/kernel'
import { type ConsoleServed, servedConsole } from './console-fixtures'
import { fillConsole } from './filled-console'

const all = (node: any): any[] => (node.childNodes ?? []).flatMap((child: any) => [child, ...all(child)])
const attribute = (node: any, name: string): string | undefined =>
  node.attrs?.find((entry: any) => entry.name === name)?.value

/** What the page below its header lets a caller run and open. */
function offersOf(text: string): { operations: string[]; pages: string[] } {
  const nodes = all(all(parse(text)).find(({ tagName }) => tagName === 'main'))
  const actions = nodes.flatMap((node) => [attribute(node, 'action'), attribute(node, 'formaction')])
  const operations = actions.flatMap((action) => /^\/console\/run\/(.+)$/.exec(action ?? '')?.[1] ?? [])
  const links = nodes.map((node) => (node.tagName === 'a' ? attribute(node, 'href') : undefined))
  return { operations, pages: links.filter((href) => href?.startsWith('/console')) as string[] }
}

const pathOf = (page: string) => page.replace(/[?#].*/, '')

/** A body that no form has: it is refused after the caller was authorized, so that nothing is run. */
const isRefused = async ({ call, url }: ConsoleServed, operation: string, cookie: string) => {
  const headers = { origin: url, 'sec-fetch-site': 'same-origin', 'content-type': 'text/plain', cookie }
  const { status } = await call('POST', `/console/run/${operation}`, { headers, body: 'x' })
  expect([operation, status]).toEqual([operation, status === 403 || status === 401 ? status : 415])
  return status !== 415
}

it('no page shows a form or a link that refuses the caller', async () => {
  const service = await servedConsole({ local: false })
  await service.signIn((await service.run('sessions.create-link', {})).path.split('#')[1])
  const pages = await fillConsole(service)
  const credentials: [string, string][] = [
    ['a carrier', await service.key('clerk', 'Blue')],
    ...(await Promise.all(
      roles.map(
        async (role): Promise<[string, string]> => [
          role,
          (await service.run('tokens.create', { name: role, role })).token,
        ],
      ),
    )),
    ...(await Promise.all(
      dockRoles.map(async (role): Promise<[string, string]> => [`dock ${role}`, await service.key(role)]),
    )),
  ]
  const wrong: string[] = []
  for (const [name, credential] of credentials) {
    const cookie = await service.signIn(credential)
    const [opened, tried] = [new Map<string, boolean>(), new Map<string, boolean>()]
    const isOpen = async (page: string) => {
      const path = pathOf(page)
      if (!opened.has(path)) opened.set(path, ![401, 403].includes((await service.open(page, cookie)).status))
      return opened.get(path)!
    }
    for (const page of pages) {
      const { status, text } = await service.open(`/console${page}`, cookie)
      if (status !== 200) continue
      const offers = offersOf(text)
      for (const operation of new Set(offers.operations)) {
        if (!tried.has(operation)) tried.set(operation, await isRefused(service, operation, cookie))
        if (tried.get(operation)) wrong.push(`${name}: ${page} has a form of ${operation}`)
      }
      for (const link of new Set(offers.pages))
        if (!(await isOpen(link))) wrong.push(`${name}: ${page} leads to ${pathOf(link)}`)
    }
    // No role is tested with refused pages alone.
    expect([name, [...tried.values()].includes(false) || opened.size > 0]).toEqual([name, true])
  }
  expect([...new Set(wrong)]).toEqual([])
})
