import { readFileSync } from 'node:fs'
import { describe, expect, onTestFinished } from 'vitest'
import { startStubModel } from '../assistant/stub-model'
import { files, MAX_BYTES } from '../docks/attachments/attachment-files'
import { load } from '../docks/dock-fixtures'
import { startMailServer } from '../mail/mail-server'
import { endPress, findBarriers, it, pauseClock, visit } from './browser'
import { openFacility, servedConsole } from './console-fixtures'

describe('in a real browser', () => {
  it('a person signs in with a link by mail by its button, not by the page alone', async () => {
    const mails = await startMailServer()
    const service = await servedConsole({
      local: false,
      env: {
        STUDIO_SMTP_URL: mails.url(),
        STUDIO_SMTP_FROM: 'studio@example.com',
        STUDIO_PUBLIC_URL: 'https://studio.example.com',
      },
    })
    await service.run('people.add', { email: 'ana@example.com', name: 'Ana' })
    const visited = await visit()
    const { page, problems } = visited
    await page.goto(`${service.url}/console/sign-in`)
    await page.getByLabel('E-mail address').fill('ana@example.com')
    expect(await findBarriers(visited)).toEqual([])
    await page.getByRole('button', { name: 'Send me a link' }).click()
    await page.getByRole('heading', { name: 'Check your mail' }).waitFor()
    await expect.poll(() => mails.received).toHaveLength(1)
    const mail = mails.received[0]!.text
    const [link] = /\/console\/sign-in\/link#studio_ses_\w+/.exec(mail)!
    await page.goto(`${service.url}${link}`)
    const button = page.getByRole('main').getByRole('button', { name: 'Sign in' })
    await button.waitFor()
    expect(page.url()).not.toContain('studio_ses')
    expect(await findBarriers(visited)).toEqual([])
    expect(await service.run('sessions.list', {})).toMatchObject([{ kind: 'link', name: 'Ana' }])
    await button.click()
    await page.waitForURL('**/console')
    await page.getByText('Ana').waitFor()
    expect(problems).toEqual([])
  })

  it('an admin of the docks adds a member and creates a key, and chooses the tenant to act for', async () => {
    const mails = await startMailServer()
    const service = await servedConsole({
      local: false,
      env: {
        STUDIO_SMTP_URL: mails.url(),
        STUDIO_SMTP_FROM: 'studio@example.com',
        STUDIO_PUBLIC_URL: 'https://studio.example.com',
      },
    })
    await openFacility(service)
    await service.run('tenants.create', { name: 'acme' })
    await service.run('staff.add', { email: 'ana@example.com', name: 'Ana', role: 'admin' })
    await service.run('staff.add', { email: 'ana@example.com', name: 'Ana', role: 'viewer', tenant: 'acme' })
    const visited = await visit()
    const { page, problems } = visited
    await page.goto(`${service.url}/console/sign-in`)
    await page.getByLabel('E-mail address').fill('ana@example.com')
    await page.getByRole('button', { name: 'Send me a link' }).click()
    await expect.poll(() => mails.received).toHaveLength(1)
    const mail = mails.received[0]!.text
    await page.goto(`${service.url}${/\/console\/sign-in\/link#studio_ses_\w+/.exec(mail)![0]}`)
    await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click()
    await page.waitForURL('**/console')
    await page.getByRole('link', { name: 'Docks', exact: true }).click()
    await page.getByRole('link', { name: 'Staff and keys' }).click()
    await page.waitForURL('**/console/settings/staff')
    expect(await findBarriers(visited)).toEqual([])
    const card = page.locator('form.card', { hasText: 'Add a member' })
    await card.getByLabel('E-mail address').fill('lee@example.com')
    await card.getByLabel('Name').fill('Lee Park')
    await card.getByRole('button', { name: 'Add member' }).click()
    await page.getByText('The member was added.').waitFor()
    await page.getByRole('combobox', { name: 'Role of Lee Park' }).selectOption('gate')
    await page.getByRole('button', { name: 'Change the role of Lee Park' }).click()
    await page.getByText('The member was changed.').waitFor()
    expect(await service.run('staff.list', {})).toMatchObject([{}, { name: 'Lee Park', role: 'gate' }])
    const key = page.locator('form.card', { hasText: 'Create a dock key' })
    await key.getByLabel('Name').fill('Gate tablet')
    await key.getByRole('button', { name: 'Create dock key' }).click()
    await page.getByText('Copy the dock key now').waitFor()
    await page.getByLabel('Act for').selectOption('acme')
    await page.getByRole('button', { name: 'Switch' }).click()
    await page.getByText('This page needs the role admin at the docks of a tenant.').waitFor()
    await page.goto(`${service.url}/console/docks`)
    expect(await findBarriers(visited)).toEqual([])
    expect(problems.filter((problem) => !problem.includes('403'))).toEqual([])
  })

  it('a supervisor opens a sign-in link, sees bookings of others appear, and books, moves and cancels', async () => {
    const service = await servedConsole({ local: false })
    const { date } = await openFacility(service)
    const { path } = await service.run('sessions.create-link', {})
    const visited = await visit()
    const { page, problems } = visited
    await page.goto(`${service.url}${path}`)
    await page.waitForURL('**/console')
    expect(page.url()).not.toContain('studio_ses')
    await pauseClock(visited)
    await page.goto(`${service.url}/console/docks/DC1?date=${date}`)
    const isSummed = async (text: string) => {
      await endPress(visited)
      await page.locator('#board-summary').filter({ hasText: text }).waitFor()
    }
    await isSummed('0 appointments')
    await service.run('appointments.book', load({ targetDate: date, referenceNumber: 'PO-LIVE' }))
    await isSummed('1 appointment')

    await page.getByRole('link', { name: 'Book', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('heading', { name: 'Book at DC1' }).and(page.locator(':focus')).waitFor()
    await dialog.getByLabel('Carrier').fill('<b>Nord</b>')
    await dialog.getByLabel('PO, BOL or shipment reference').fill('PO-LIVE')
    await dialog.getByRole('button', { name: 'Book' }).click()
    await dialog.getByRole('alert').filter({ hasText: 'PO-LIVE' }).waitFor()
    await dialog.getByLabel('PO, BOL or shipment reference').fill('PO-MINE')
    await dialog.getByRole('button', { name: 'Book' }).click()
    await page.getByText('The appointment was booked.').waitFor()
    await isSummed('2 appointments')
    expect(await findBarriers(visited)).toEqual([])

    await page.getByRole('link', { name: 'PO-MINE', exact: true }).click()
    await dialog.getByText('Reschedule').first().click()
    await dialog.getByLabel('Start', { exact: true }).fill('09:30')
    expect(await findBarriers(visited)).toEqual([])
    await dialog.getByRole('button', { name: 'Reschedule' }).click()
    await endPress(visited)
    await page.getByRole('cell', { name: '09:30 to 10:30' }).waitFor()
    await page.getByRole('link', { name: 'PO-LIVE', exact: true }).click()
    await dialog.getByText('Check in').first().click()
    await dialog.getByLabel('Driver').fill('Ana Ruiz')
    await dialog.getByLabel('It is more than 24 hours early').check()
    await dialog.getByRole('button', { name: 'Check in' }).click()
    await isSummed('expected 1')
    await page.getByRole('link', { name: 'PO-LIVE', exact: true }).click()
    await dialog.getByText('Ana Ruiz').waitFor()
    await dialog.getByRole('button', { name: 'At the door', exact: true }).click()
    await isSummed('at the door 1')
    page.on('dialog', (question) => question.accept())
    await page.getByRole('link', { name: 'PO-MINE', exact: true }).click()
    await dialog.getByRole('button', { name: 'Cancel appointment' }).click()
    await isSummed('1 appointment')
    // The refused booking is the only problem that the browser reports.
    expect(problems).toEqual([expect.stringContaining('400')])
  })

  it('a clerk attaches a photo to an appointment, downloads it and removes it', async () => {
    const service = await servedConsole({ local: false })
    const { date } = await openFacility(service)
    const { data } = await service.run('appointments.book', load({ targetDate: date }))
    const { path } = await service.run('sessions.create-link', {})
    const visited = await visit()
    const { page, problems } = visited
    await page.goto(`${service.url}${path}`)
    await page.waitForURL('**/console')
    await page.goto(`${service.url}/console/appointments/${data.id}`)
    await page.getByText('Attach a file').click()
    const choose = (name: string, buffer: Buffer) =>
      page.getByLabel('File', { exact: true }).setInputFiles({ name, mimeType: 'image/jpeg', buffer })
    const attach = page.getByRole('button', { name: 'Attach', exact: true })
    await choose('page.jpg', Buffer.from('<script>alert(1)</script>'))
    await attach.click()
    await page.getByRole('alert').filter({ hasText: 'File: must be a PDF' }).waitFor()
    await choose('large.jpg', Buffer.alloc(MAX_BYTES + 1))
    await attach.click()
    await page.getByRole('alert').filter({ hasText: 'The file is too large.' }).waitFor()
    const photo = Buffer.concat([files.jpeg, Buffer.from(Uint8Array.from({ length: 300_000 }, (_, i) => i % 251))])
    await choose('bol <1>.jpg', photo)
    await page.getByLabel('What the file shows').fill('Signed')
    await attach.click()
    await page.getByText('The file was attached.').waitFor()
    expect(await findBarriers(visited)).toEqual([])
    const download = page.waitForEvent('download')
    await page.getByRole('link', { name: 'bol 1.jpg' }).click()
    const saved = await download
    expect([saved.suggestedFilename(), readFileSync(await saved.path()).equals(photo)]).toEqual(['bol 1.jpg', true])
    page.on('dialog', (question) => question.accept())
    await page.getByRole('button', { name: 'Remove bol 1.jpg' }).click()
    await page.getByText('No file is attached.').waitFor()
    expect(problems).toEqual([expect.stringContaining('400')])
  })

  it('an administrator creates a token, sees it once, and revokes it', async () => {
    const service = await servedConsole()
    const visited = await visit()
    const { page, problems } = visited
    await page.goto(`${service.url}/console/settings`)
    await page.getByLabel('Token or dock key').fill(await service.token(['admin']))
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Security & Access' }).waitFor()
    const form = page.locator('form', { hasText: 'Create a token' })
    await form.getByLabel('Name').fill('ci')
    await form.getByLabel('Role').selectOption('reader')
    await form.getByRole('button').click()
    const secret = (await page.locator('.secret').textContent())!
    expect(secret).toMatch(/^studio_pat_\w{36}$/)
    expect(await findBarriers(visited)).toEqual([])
    // Also a script that got into the page could neither run nor read the cookie.
    await page.evaluate(
      `document.body.append(Object.assign(document.createElement('script'), { text: 'window.ran = 1' }))`,
    )
    expect(await page.evaluate('[window.ran, document.cookie]')).toEqual([undefined, ''])
    await expect.poll(() => problems.at(-1)).toContain('Content Security Policy')
    problems.pop()
    await page.reload()
    expect(await page.content()).not.toContain(secret)
    page.on('dialog', (question) => question.accept())
    await page.getByRole('button', { name: 'Revoke the token ci' }).click()
    await page.getByText('The token was revoked.').waitFor()
    expect((await service.call('GET', '/api/tokens', { headers: { authorization: `Bearer ${secret}` } })).status).toBe(
      401,
    )
    expect(problems).toEqual([expect.stringContaining('401')])
  })

  it('a draft is saved while it is written, and a change of others is not written over', async () => {
    const service = await servedConsole()
    const { id } = await service.run('drafts.save', { title: 'Doors' })
    const { page } = await visit()
    await page.goto(`${service.url}/console/drafts/${id}`)
    await page.getByLabel('Description, in Markdown').fill('As a **driver**')
    await page.getByText('The draft was saved.').waitFor()
    await page.locator('#preview strong', { hasText: 'driver' }).waitFor()
    expect(await service.run('drafts.get', { id })).toMatchObject({ description: 'As a **driver**' })
    await service.run('drafts.save', { id, title: 'Gates' })
    await page.getByLabel('Title').fill('Docks')
    await page.getByRole('alert').filter({ hasText: 'changed' }).waitFor()
    expect(await service.run('drafts.get', { id })).toMatchObject({ title: 'Gates' })
    const question = new Promise<string>((resolve) => {
      page.once('dialog', async (dialog) => {
        await dialog.dismiss()
        resolve(dialog.type())
      })
    })
    await page.getByRole('link', { name: 'Home' }).click({ noWaitAfter: true })
    expect(await question).toBe('beforeunload')
    expect(await page.getByLabel('Title').inputValue()).toBe('Docks')
  })

  it('features are chosen, ordered with buttons and by dragging, and saved in one step', async () => {
    const service = await servedConsole()
    const { features } = await service.run('features.list', {})
    const ids: number[] = features.slice(0, 3).map(({ id }: { id: number }) => id)
    for (const featureId of ids) await service.run('features.import', { featureId })
    const { page, problems } = await visit()
    await page.goto(`${service.url}/console/reports/priorities`)
    const row = (id: number) => page.locator('li', { has: page.locator(`input[value="${id}"]`) })
    const order = () =>
      page.locator('li:has(:checked) input').evaluateAll((boxes) => boxes.map((box: any) => +box.value))
    const [first, second, third] = ids as [number, number, number]
    for (const id of ids) await row(id).getByRole('checkbox').check()
    expect(await order()).toEqual([first, second, third])
    await row(third).getByRole('button', { name: 'up' }).focus()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    await page.getByText(/1 of 3\. Not saved yet/).waitFor()
    expect(await order()).toEqual([third, first, second])
    const from = (await row(third).locator('.handle').boundingBox())!
    const to = (await row(second).boundingBox())!
    await page.mouse.move(from.x + 5, from.y + 5)
    await page.mouse.down()
    await page.mouse.move(to.x + 20, to.y + to.height - 2, { steps: 5 })
    await page.mouse.up()
    expect(await order()).toEqual([first, second, third])
    await row(first).getByRole('checkbox').uncheck()
    expect(await service.run('priorities.get', {})).toMatchObject({ designated: [] })
    await page.getByRole('button', { name: 'Save the order' }).click()
    await page.getByText('The priorities were saved.').waitFor()
    expect(await service.run('priorities.get', {})).toMatchObject({ designated: [second, third] })
    expect(problems).toEqual([])
  })

  it('a refinement is read while the model writes it, stopped, and saved', async () => {
    let goOn = () => {}
    const paused = new Promise<void>((resolve) => {
      goOn = resolve
    })
    const answer = ['{"summary": "Drivers learn', ' their door."}']
    const model = await startStubModel({
      replies: [
        { pieces: ['{"summary": "Wrong', ' words'], silentAfter: 1 },
        {
          pieces: async (at) => {
            if (at === 1) await paused
            return answer[at] ?? null
          },
        },
      ],
    })
    onTestFinished(() => model.close())
    const service = await servedConsole({ env: { STUDIO_LLM_HOST: model.url } })
    const { id } = await service.run('drafts.save', { title: 'Doors', description: 'Long.' })
    const visited = await visit()
    const { page, problems } = visited
    await page.goto(`${service.url}/console/drafts/${id}`)
    await page.getByLabel('Prompt').selectOption('summary')
    await page.getByRole('button', { name: 'Suggest changes' }).click()
    await page.getByText('Wrong', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Stop' }).click()
    await model.cancelled(0)
    await page.getByRole('button', { name: 'Suggest changes' }).click()
    await page.getByText('Drivers learn', { exact: true }).waitFor()
    await page.getByText('stub:latest is writing').waitFor()
    expect(await findBarriers(visited)).toEqual([])
    goOn()
    await page.locator('ins', { hasText: 'Drivers learn their door.' }).waitFor()
    expect(await findBarriers(visited)).toEqual([])
    await page.getByRole('button', { name: 'Save these changes' }).click()
    await page.getByText('The draft was saved.').waitFor()
    expect(await page.getByLabel('Description, in Markdown').inputValue()).toContain('Drivers learn their door.')
    expect(problems).toEqual([])
  })

  it('is read without JavaScript, after a sign-in with a plain form', async () => {
    const service = await servedConsole({ local: false })
    const { date } = await openFacility(service)
    await service.run('appointments.book', load({ targetDate: date, referenceNumber: 'PO-1' }))
    const { page } = await visit({ javaScriptEnabled: false })
    await page.goto(`${service.url}/console/docks/DC1?date=${date}`)
    await page.getByLabel('Token or dock key').fill(await service.key())
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('link', { name: 'PO-1', exact: true }).click()
    await page.getByRole('heading', { name: 'PO-1' }).waitFor()
  })
})
