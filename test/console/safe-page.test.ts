import { describe, expect, it } from 'vitest'
import { safePage } from '../../src/console/forms/form'

describe('the page that a form leads to', () => {
  it.each([
    '/console',
    '/console/docks/DC1?date=2027-03-01#board',
    '/console/docks/A%2FB/settings',
    '/console/docks/Caf%C3%A9%',
    '/console?next=/../x',
  ])('is the one that it names: %s', (page) => expect(safePage(page)).toBe(page))

  it.each([
    undefined,
    ['/console'],
    'https://elsewhere.example/console',
    '//elsewhere.example/console',
    '/consoles',
    '/console/../api/tokens',
    '/console/%2e%2e/api/tokens',
    '/console/.%2E/api/tokens',
    '/console/docks/%2e./%2E%2e/%2e%2e/openapi.json',
    '/console/..%2fapi/tokens',
    '/console/%2e%2e%2fapi/tokens',
    '/console/..%5capi/tokens',
    '/console\\..\\api',
    '/console/\tx',
  ])('is the home page where it is not of the console: %j', (page) => expect(safePage(page)).toBe('/console'))
})
