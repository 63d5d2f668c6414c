import { expect } from 'vitest'
import { it, visit } from './browser'
import { servedConsole } from './console-fixtures'

it('a button that asks a question is pressed only when its script is there', async () => {
  const service = await servedConsole()
  await service.run('tokens.create', { name: 'ci', scopes: ['read'] })
  const { context, page } = await visit()
  await page.goto(`${service.url}${(await service.run('sessions.create-link', {})).path}`)
  await page.waitForURL('**/console')
  let send = () => {}
  const held = new Promise<void>((resolve) => {
    send = resolve
  })
  await page.route('**/console/assets/*/console.js', async (route) => {
    await held
    await route.continue()
  })
  const settings = `${service.url}/console/settings`
  await page.goto(settings, { waitUntil: 'commit' })
  const question = page.waitForEvent('dialog')
  const press = page.getByRole('button', { name: 'Revoke the token ci' }).click()
  // In this time the first page would have been drawn and pressed.
  const other = await context.newPage()
  await other.goto(settings)
  await other.getByRole('button', { name: 'Revoke the token ci' }).click({ trial: true })
  expect(await page.evaluate('performance.getEntriesByType("paint").length')).toBe(0)
  send()
  await (await question).dismiss()
  await press
  expect(await service.run('tokens.list', {})).toMatchObject([{ name: 'ci', revokedAt: null }])
})
