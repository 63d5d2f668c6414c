import { describe, expect, it } from 'vitest'
import { sandbox, setField } from './harness'

describe('the page of an item', () => {
  it('shows the item', async () => {
    const tracker = await sandbox()
    const { status, text, headers } = await tracker.get('/Harbor/_workitems/edit/204')
    expect(status).toBe(200)
    expect(headers.get('content-type')).toContain('text/html')
    expect(text).toContain('User Story 204: Driver is told the dock door by text message')
    expect(text).toContain('As a driver who has checked in')
    expect(text).toContain('Jonas Lindqvist')
    expect(text).not.toContain('MsoNormal')
    expect(text).toContain(`${tracker.url}/Harbor/_workitems/edit/101`.replaceAll(/[&<>"']/g, ''))
  })

  it('runs no script of an item', async () => {
    const tracker = await sandbox()
    const bad = '<img src=x onerror=alert(1)><script>alert(2)</script>&lt;script&gt;alert(3)&lt;/script&gt;'
    await tracker.patch('/_apis/wit/workitems/205', [
      setField('System.Title', bad),
      setField('System.Description', bad),
    ])
    const { text, headers } = await tracker.get('/Harbor/_workitems/edit/205')
    expect(text).not.toMatch(/<script|<img/i)
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
  })

  it('is missing for a missing item', async () => {
    expect((await (await sandbox()).get('/Harbor/_workitems/edit/9999')).status).toBe(404)
  })
})

describe('the front page', () => {
  it('describes the sandbox and its address', async () => {
    const tracker = await sandbox()
    for (const url of [new URL('/', tracker.url).href, tracker.url, `${tracker.url}/`]) {
      const text = await (await fetch(url)).text()
      expect(text).toContain('Sandbox tracker')
      expect(text).toContain('Drivers check in at the gate without paper')
    }
  })
})
