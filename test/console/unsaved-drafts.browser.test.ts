import { describe, expect, onTestFinished } from 'vitest'
import { startServer } from '../../src/http/serve'
import { silentLog } from '../../src/kernel'
import { freePort } from '../free-port'
import { findBarriers, it, visit } from './browser'
import { type ConsoleServed, servedConsole } from './console-fixtures'

const AWAY = 'Not saved: the service cannot be reached.'

/** The service with a draft in the editor of a browser. */
async function openEditor() {
  const port = await freePort()
  const service = await servedConsole({ local: false, env: { STUDIO_PORT: String(port) } })
  const { id } = await service.run('drafts.save', { title: 'Doors', description: 'Start' })
  const visited = await visit()
  const { path } = await service.run('sessions.create-link', {})
  await visited.page.goto(`${service.url}${path}`)
  await visited.page.waitForURL('**/console')
  await visited.page.goto(`${service.url}/console/drafts/${id}`)
  const description = visited.page.getByLabel('Description').first()
  return { ...visited, service, id, description, visited }
}

/** Starts it again, at the same address. */
async function startAgain({ studio }: ConsoleServed): Promise<void> {
  const server = await startServer({ studio, version: '1.0.0', local: false, log: silentLog })
  onTestFinished(() => server.close())
}

describe('a draft in a real browser', () => {
  it('keeps its text while the service is away, and saves it when the service is back', async () => {
    const { page, service, id, description } = await openEditor()
    await service.close()
    await description.fill('Written while it was away')
    await page.getByText(AWAY).waitFor()
    expect(await description.inputValue()).toBe('Written while it was away')
    await startAgain(service)
    await page.getByText('The draft was saved.').waitFor()
    expect(await service.run('drafts.get', { id })).toMatchObject({ description: 'Written while it was away' })
  })

  it('leaves no text behind if a save fails while its writer signs out', async () => {
    const { page, description } = await openEditor()
    const store = 'JSON.stringify(sessionStorage)'
    await page.route('**/console/run/drafts.save', (save) => save.abort())
    await page.route('**/console/sign-out', async (route) => {
      // The save by itself comes while the sign-out is under way.
      const failed = page.waitForEvent('requestfailed', (save) => save.postData()?.includes('later') ?? false)
      await description.fill('Private text, later')
      await failed
      await route.continue()
    })
    await description.fill('Private text')
    await expect.poll(() => page.evaluate(store)).toContain('Private text')
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.waitForURL('**/console/sign-in**')
    expect(await page.evaluate(store)).not.toContain('Private')
  })

  it('has its unsaved text again after the page was loaded again, and none after a sign-out', async () => {
    const { page, service, id, description } = await openEditor()
    page.on('dialog', (dialog) => dialog.accept())
    await page.route('**/console/run/**', (route) => route.abort())
    await description.fill('Not sent')
    await page.getByText(AWAY).waitFor()
    await page.reload()
    await expect.poll(() => description.inputValue()).toBe('Not sent')
    await page.unroute('**/console/run/**')
    await page.getByText('The draft was saved.').waitFor()
    expect(await service.run('drafts.get', { id })).toMatchObject({ description: 'Not sent' })

    await page.route('**/console/run/**', (route) => route.abort())
    await description.fill('Secret')
    await page.getByText(AWAY).waitFor()
    expect(await page.evaluate('JSON.stringify(sessionStorage)')).toContain('Secret')
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.waitForURL('**/console/sign-in')
    expect(await page.evaluate('JSON.stringify(sessionStorage)')).not.toContain('Secret')
  })

  it('is merged in the page with what somebody else has changed', async () => {
    const { page, service, id, description, visited } = await openEditor()
    await service.run('drafts.save', { id, description: 'Theirs' })
    await description.fill('Mine')
    await page.getByText('Press Save to see both, and to merge them.').waitFor()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('heading', { name: 'Somebody else has changed the same' }).waitFor()
    expect(await findBarriers(visited)).toEqual([])
    await page.getByLabel('Description, in Markdown: the result').fill('Theirs and mine')
    await page.getByRole('radio', { name: 'Save the result' }).check()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('The draft was saved.').waitFor()
    expect(await service.run('drafts.get', { id })).toMatchObject({ description: 'Theirs and mine' })
    expect(await description.inputValue()).toBe('Theirs and mine')
  })

  it('is saved after a sign-in in another tab where the session has ended', async () => {
    const { page, service, id, description, context } = await openEditor()
    for (const { id: session } of await service.run('sessions.list', {}))
      await service.run('sessions.revoke', { id: session })
    await description.fill('Still here')
    const [tab] = await Promise.all([
      context.waitForEvent('page'),
      page.getByRole('link', { name: 'Sign in again in another tab' }).click(),
    ])
    await tab.getByLabel('Token or dock key').fill(await service.token(['admin']))
    await tab.getByRole('main').getByRole('button', { name: 'Sign in' }).click()
    await tab.waitForURL(`**/console/drafts/${id}`)
    await page.bringToFront()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await expect.poll(() => service.run('drafts.get', { id })).toMatchObject({ description: 'Still here' })
  })
})
