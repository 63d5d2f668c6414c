import { describe, expect } from 'vitest'
import { startMailServer } from '../../mail/mail-server'
import { findBarriers, it, visit } from '../browser'
import { findByReference, openPortalService } from './portal-fixtures'

async function open() {
  const mails = await startMailServer()
  const service = await openPortalService({
    env: {
      STUDIO_SMTP_URL: mails.url(),
      STUDIO_SMTP_FROM: 'docks@example.com',
      STUDIO_PUBLIC_URL: 'https://studio.example.com',
    },
  })
  const linkOf = async (count: number) => {
    await expect.poll(() => mails.received).toHaveLength(count)
    return `${service.url}${/\/portal\/sign-in#studio_inv_\w+/.exec(mails.received.at(-1)!.text)![0]}`
  }
  return { ...service, linkOf }
}

describe.each([
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
])('a carrier in a browser that is $width wide', (viewport) => {
  it('opens its mail, books a free slot, moves and cancels it, and takes what the waitlist offers', async () => {
    const service = await open()
    const { url, invite, linkOf, date, run } = service
    await invite({ email: 'ana@blue.example' })
    const visited = await visit({ viewport })
    const { page, problems } = visited
    page.on('dialog', (dialog) => dialog.accept())
    const check = async () => {
      expect(await findBarriers(visited)).toEqual([])
      const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'
      expect(await page.evaluate(overflow)).toBeLessThanOrEqual(0)
    }
    await page.goto(await linkOf(1))
    const button = page.getByRole('button', { name: 'Open my appointments' })
    await button.waitFor()
    expect(page.url()).not.toContain('studio_inv')
    await check()
    await button.click()
    await page.getByRole('heading', { name: 'Blue Freight' }).waitFor()
    await check()
    await page.getByRole('link', { name: 'Free slots at DC1' }).click()
    await page.waitForURL('**/portal/facilities/*')
    await page.getByLabel('Date', { exact: true }).fill(date)
    await page.waitForURL(`**date=${date}**`)
    await check()
    await page.getByRole('link', { name: /^Book 09:00, delivery/ }).click()
    await page.getByText(`The delivery on ${date} at 09:00, local time.`).waitFor()
    expect(await page.getByLabel('E-mail').inputValue()).toBe('ana@blue.example')
    await page.getByLabel('PO, BOL or shipment reference').fill('PO-1')
    await check()
    await page.getByRole('button', { name: 'Book' }).click()
    await page.getByText('The appointment was booked.').waitFor()
    await page.getByText('Move', { exact: true }).first().click()
    await page.getByLabel('Start').fill('11:00')
    await check()
    await page.getByRole('button', { name: 'Move' }).click()
    await page.getByText('The appointment was moved.').waitFor()
    expect((await findByReference(service, 'PO-1')).contactEmails).toEqual(['ana@blue.example'])
    await page.getByRole('button', { name: 'Cancel appointment' }).click()
    await page.getByText('The appointment was cancelled.').waitFor()
    await page.getByRole('link', { name: 'Your appointments' }).click()
    await page.getByRole('link', { name: 'Join the waitlist of DC1' }).click()
    await page.getByLabel('PO, BOL or shipment reference').fill('PO-2')
    await page.getByLabel('First possible date').fill(date)
    await check()
    await page.getByRole('button', { name: 'Join the waitlist' }).click()
    await page.getByRole('heading', { name: 'A slot for PO-2' }).waitFor()
    await check()
    await page.getByRole('button', { name: 'Accept the offer for PO-2' }).click()
    await page.getByText('The offered slot was booked.').waitFor()
    await page.getByRole('link', { name: 'PO-2' }).waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByLabel('E-mail address').fill('ana@blue.example')
    await check()
    await page.getByRole('button', { name: 'Send me a link' }).click()
    await page.getByRole('heading', { name: 'Check your mail' }).waitFor()
    await page.goto(await linkOf(2))
    await page.getByRole('button', { name: 'Open my appointments' }).click()
    await page.getByRole('link', { name: 'PO-2' }).waitFor()
    const [{ id }] = await run('carriers.list-invitations', {})
    await run('carriers.revoke-invitation', { id })
    expect(problems).toEqual([])
    await page.goto(`${url}/portal`)
    await page.getByText('Open the link of your invitation to see this page.').waitFor()
    await check()
  })
})

describe('an admin of the docks in a browser', () => {
  it('invites a carrier, copies the link, and revokes the invitation', async () => {
    const service = await openPortalService()
    const visited = await visit()
    const { page, problems } = visited
    page.on('dialog', (dialog) => dialog.accept())
    await page.goto(`${service.url}/console/sign-in`)
    await page.getByLabel('Token or dock key').fill(await service.key('admin'))
    await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click()
    await page.waitForURL('**/console')
    await page.goto(`${service.url}/console/settings/staff`)
    const card = page.locator('form.card', { hasText: 'Invite a carrier' })
    await card.getByLabel(/^Carrier|^Name of the carrier/).fill('Blue Freight')
    expect(await findBarriers(visited)).toEqual([])
    await card.getByRole('button', { name: 'Invite' }).click()
    await page.getByText('Copy the link now').waitFor()
    await page.getByText(/\/portal\/sign-in#studio_inv_\w{36}/).waitFor()
    await page.goto(`${service.url}/console/settings/staff`)
    await page.getByRole('button', { name: 'Revoke the invitation of Blue Freight' }).click()
    await page.getByText('The invitation was revoked.').waitFor()
    expect(await service.run('carriers.list-invitations', {})).toMatchObject([{ state: 'revoked' }])
    expect(problems).toEqual([])
  })
})
