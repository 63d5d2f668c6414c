import { describe, expect, it } from 'vitest'
import { openFacility } from './console-fixtures'
import { openSignInSite, TestBrowser } from './real-provider'

describe('signing in with a provider', () => {
  it('opens the page that the person wanted, with the role of their claims', async () => {
    const site = await openSignInSite()
    site.provider.account = { id: 'ann', roles: ['staff', 'writers'], email: 'ann@example.com' }
    const browser = new TestBrowser()
    const { answer, address } = await site.signInWith(browser, '/console/work?q=dock')
    expect([answer.status, address]).toEqual([200, `${site.publicUrl}/console/work?q=dock`])
    expect(answer.text).toContain('<span>ann@example.com</span>')
    expect(await site.run('sessions.list', {})).toMatchObject([{ name: 'ann@example.com', role: 'editor' }])
  })

  it('is offered where the sign-in form is', async () => {
    const site = await openSignInSite()
    for (const path of ['/console/sign-in', '/console/work'])
      expect((await site.open(path)).text).toContain('>Sign in with Example</a>')
  })

  it.each([
    ['no role', { id: 'bob', roles: ['guests'] }, {}, 'Your account has no role in this service.'],
    [
      'an address of another domain',
      { id: 'eve', roles: ['staff'], email: 'eve@evil.example' },
      { allowedDomains: ['example.com'] },
      'This service admits no one of evil.example.',
    ],
    [
      'an address that is not verified',
      { id: 'eve', roles: ['staff'], email: 'eve@example.com', isVerified: false },
      { allowedDomains: ['example.com'] },
      'Your provider reports no verified e-mail address, which this service requires.',
    ],
  ])('gives no access for %s, and says so', async (_why, account, oidc, message) => {
    const site = await openSignInSite({ oidc })
    site.provider.account = account
    const browser = new TestBrowser()
    const { answer } = await site.signInWith(browser)
    expect(answer.status).toBe(403)
    expect(answer.text).toContain(message)
    expect(browser.cookies(site.publicUrl)).not.toContain('studio_session')
    expect(await site.run('sessions.list', {})).toEqual([])
  })

  it('says that the person cancelled', async () => {
    const site = await openSignInSite()
    const { answer } = await site.signInWith(new TestBrowser())
    expect(answer.status).toBe(401)
    expect(answer.text).toContain('You did not sign in at your provider.')
  })

  it('says that the provider cannot be reached', async () => {
    const site = await openSignInSite()
    await site.provider.close()
    const { answer } = await site.signInWith(new TestBrowser())
    expect(answer.status).toBe(503)
    expect(answer.text).toContain('The provider for signing in cannot be reached.')
  })

  it('is checked by doctor', async () => {
    const site = await openSignInSite()
    const findings = async () => {
      const answer = await site.run('system.doctor', { quick: true })
      return answer.findings.filter(({ message }: { message: string }) => message.includes(site.provider.issuer))
    }
    expect(await findings()).toContainEqual(
      expect.objectContaining({ level: 'ok', message: `People can sign in with ${site.provider.issuer}.` }),
    )
    await site.provider.close()
    expect(await findings()).toContainEqual(expect.objectContaining({ level: 'warning' }))
  })

  it('leads only to pages of the console', async () => {
    const site = await openSignInSite()
    site.provider.account = { id: 'ann', roles: ['staff'] }
    for (const next of [
      'https://evil.example/',
      '//evil.example',
      '/console/../api/tokens',
      '/console\\evil',
      'javascript:1',
    ]) {
      const { address } = await site.signInWith(new TestBrowser(), next)
      expect(address).toBe(`${site.publicUrl}/console`)
    }
  })

  it('uses the public address, whatever name the browser used', async () => {
    const site = await openSignInSite()
    const browser = new TestBrowser()
    const { address } = await browser.follow(
      `${site.publicUrl.replace('127.0.0.1', 'localhost')}/console/oidc/sign-in?next=/console/work`,
      (at) => at.startsWith(site.provider.issuer),
    )
    expect(new URL(address).searchParams.get('redirect_uri')).toBe(`${site.publicUrl}/console/oidc/callback`)
    const other = await site.call('GET', '/console/oidc/sign-in', { headers: { host: 'evil.example' } })
    expect(other.status).toBe(403)
  })

  it('is limited for an address that begins many', async () => {
    const site = await openSignInSite()
    const statuses = []
    for (let n = 0; n < 31; n++) statuses.push((await site.open('/console/oidc/sign-in')).status)
    expect(statuses.slice(0, 30).every((status) => status === 303)).toBe(true)
    expect(statuses[30]).toBe(429)
  })
})

describe('the session of a person', () => {
  const signedIn = async (given: Parameters<typeof openSignInSite>[0] = {}) => {
    const site = await openSignInSite(given)
    site.provider.account = { id: 'ann', roles: ['owners'] }
    const browser = new TestBrowser()
    await site.signInWith(browser)
    const statusOf = async (path = '/console/work') => (await browser.request('GET', `${site.publicUrl}${path}`)).status
    expect(await statusOf('/console/settings')).toBe(200)
    return { site, browser, statusOf }
  }

  it('ends at the provider too when the person signs out', async () => {
    const { site, browser, statusOf } = await signedIn()
    const form = { body: '', headers: { origin: site.publicUrl, 'sec-fetch-site': 'same-origin' } }
    const left = await browser.request('POST', `${site.publicUrl}/console/sign-out`, form)
    const target = /content="0;url=([^"]*)"/.exec(left.text)![1]!.replaceAll('&amp;', '&')
    expect(target).toMatch(new RegExp(`^${site.provider.issuer}/session/end\\?`))
    expect(await statusOf()).toBe(401)
  })

  it('ends at once when the provider ends its own', async () => {
    const { site, browser, statusOf } = await signedIn()
    await browser.endProviderSession(site.provider.issuer)
    expect(await statusOf()).toBe(401)
    expect(browser.cookies(site.publicUrl)).not.toContain('studio_session')
  })

  it('ends its streams when the provider ends its own', async () => {
    const { site, browser } = await signedIn()
    await openFacility(site)
    const ofPerson = browser.cookies(site.publicUrl)
    const cookie = await site.signIn(await site.key('viewer'), ofPerson)
    const stream = await fetch(`${site.publicUrl}/console/docks/DC1/live`, { headers: { cookie } })
    expect(stream.status).toBe(200)
    await browser.endProviderSession(site.provider.issuer)
    await stream.text().catch(() => '')
    expect((await site.open('/console/docks', cookie)).status).toBe(401)
  })

  it('ends at the next check when the provider no longer knows the person', async () => {
    let ahead = 0
    const { site, statusOf } = await signedIn({ clock: { now: () => Date.now() + ahead } })
    site.provider.account = null
    ahead = 60_000
    expect(await statusOf()).toBe(200)
    ahead = 3 * 60_000
    expect(await statusOf()).toBe(401)
  })

  it('has the new role after the next check', async () => {
    let ahead = 0
    const { site, browser, statusOf } = await signedIn({ clock: { now: () => Date.now() + ahead } })
    site.provider.account = { id: 'ann', roles: ['staff'] }
    ahead = 3 * 60_000
    expect([await statusOf('/console/work'), await statusOf('/console/settings')]).toEqual([200, 403])
    const { text } = await browser.request('GET', `${site.publicUrl}/console/settings`)
    expect(text).toContain('This page needs the role admin. Yours is reader.')
    expect(text).toContain('Ask an administrator of this service for the role.')
  })

  it('lasts for some minutes while the provider cannot be reached', async () => {
    let ahead = 0
    const { site, statusOf } = await signedIn({ clock: { now: () => Date.now() + ahead } })
    await site.provider.close()
    ahead = 3 * 60_000
    expect(await statusOf()).toBe(200)
    ahead = 11 * 60_000
    expect(await statusOf()).toBe(503)
  })

  it('is stored without tokens that could be read', async () => {
    const { site } = await signedIn()
    const { tables } = await import('../../src/storage')
    const rows = await site.studio.db.read((tx) => tables<any>(tx).selectFrom('console_session').selectAll().execute())
    expect(JSON.stringify(rows)).not.toMatch(/eyJ|refresh/)
    expect(rows).toMatchObject([{ subject: 'ann', name: 'ann' }])
  })
})
