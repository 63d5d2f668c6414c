import { describe, expect, it } from 'vitest'
import type { ItemChange, NewItem, Tracker } from '../../../src/tracker'
import { errorOf, never } from '../azure-devops/fixtures'
import type { FakeJiraOptions } from './fake-jira'
import { DEPLOYMENTS, openJira } from './fixtures'
import { FIELD } from './jira-site'

async function update(tracker: Tracker, id: number, fields: ItemChange['fields']) {
  const { rev } = await tracker.getItem(id, never)
  return (await tracker.updateItems([{ id, rev, fields }], { signal: never }))[0]!
}

const newItem = (fields: NewItem['fields']): NewItem => ({
  type: 'Story',
  parentId: null,
  fields: { summary: 'Lamp', ...fields },
  marker: 'm1',
  startedAt: Date.now(),
})

describe('a site of Cloud with both fields for points', () => {
  const both = { missing: [] }
  const open = (options: Partial<FakeJiraOptions>) =>
    openJira({ deployment: 'cloud', issues: [{ id: 1, type: 'Story', points: 5 }], fields: both, ...options })

  it('has the points of a company-managed project in "Story Points"', async () => {
    const { tracker, site } = await open({ fields: { ...both, offScreen: [FIELD.estimate] } })
    expect(await tracker.getItem(1, never)).toMatchObject({ storyPoints: 5 })
    expect(await update(tracker, 1, { points: 8 })).toMatchObject({ status: 'applied', item: { storyPoints: 8 } })
    expect(site.find(1)!.points).toBe(8)
    expect(await tracker.createItem(newItem({ points: 3 }), { signal: never })).toMatchObject({
      status: 'created',
      item: { storyPoints: 3 },
    })
    expect(await update(tracker, 1, { points: null })).toMatchObject({ item: { storyPoints: null } })
  })

  it('has the points of a team-managed project in "Story point estimate"', async () => {
    const { tracker, site } = await open({
      isTeamManaged: true,
      issues: [{ id: 1, type: 'Story', points: 5, extra: { [FIELD.estimate]: 2 } }],
      fields: { ...both, offScreen: [FIELD.points] },
    })
    expect(await tracker.getItem(1, never)).toMatchObject({ storyPoints: 2 })
    expect(await update(tracker, 1, { points: 8 })).toMatchObject({ status: 'applied', item: { storyPoints: 8 } })
    expect(site.find(1)!).toMatchObject({ points: 5, extra: { [FIELD.estimate]: 8 } })
  })

  it('has them in the field that the screens of the project have, whatever its style is', async () => {
    const { tracker, site } = await open({
      issues: [{ id: 1, type: 'Story', extra: { [FIELD.estimate]: 2 } }],
      fields: { ...both, offScreen: [FIELD.points] },
    })
    expect(await tracker.getItem(1, never)).toMatchObject({ storyPoints: 2 })
    expect(await update(tracker, 1, { points: 3 })).toMatchObject({ status: 'applied', item: { storyPoints: 3 } })
    expect(site.find(1)!.extra[FIELD.estimate]).toBe(3)
    expect(await update(tracker, 1, { points: null })).toMatchObject({ item: { storyPoints: null } })
  })
})

describe.each(DEPLOYMENTS)('a project on %s', (deployment) => {
  it('needs no labels on its screens for a new issue', async () => {
    const { tracker, site } = await openJira({ deployment, fields: { offScreen: ['labels'] } })
    const item = newItem({})
    const created = await tracker.createItem(item, { signal: never })
    expect(created).toMatchObject({ status: 'created', item: { tags: [] } })
    const { id } = created as { id: number }
    const { updated } = site.find(id)!
    expect(await tracker.findCreatedItem(item, never)).toMatchObject({ id })
    expect(await tracker.removeMarker(id, 'm1', never)).toMatchObject({ isGone: true, item: { id } })
    expect(site.find(id)).toMatchObject({ properties: {}, updated })
  })

  it('finds a new issue by its marker among those of this account alone', async () => {
    const { tracker, site } = await openJira({ deployment })
    site.add({ properties: { 'studio-m1': true }, creator: 'ines' })
    expect(await tracker.findCreatedItem(newItem({}), never)).toBeNull()
  })

  it('takes a sprint and a priority that are newer than the cached lists', async () => {
    const { tracker, site } = await openJira({ deployment, issues: [{ id: 1, type: 'Story' }] })
    expect(await update(tracker, 1, { sprint: 'Sprint 24', priority: 'High' })).toMatchObject({ status: 'applied' })
    site.sprints.push({ id: 26, name: 'Sprint 26', state: 'future', startDate: null, endDate: null })
    site.priorities.push({ id: '6', name: 'Urgent' })
    expect(await update(tracker, 1, { sprint: 'Sprint 26', priority: 'Urgent' })).toMatchObject({
      status: 'applied',
      item: { iterationPath: 'Sprint 26', priority: 6 },
    })
  })

  it('finds moved issues by their old keys, also among others', async () => {
    const { tracker } = await openJira({
      deployment,
      issues: [{ id: 1 }, { id: 2, key: 'OPS-4' }, { id: 3, key: 'HAR-30' }],
      movedKeys: { 'HAR-7': 2, 'OLD-3': 3, 'HAR-8': 3 },
    })
    expect(await tracker.resolveKeys(['har-7'], never)).toEqual(new Map([['har-7', 2]]))
    expect(await tracker.resolveKeys(['OLD-3'], never)).toEqual(new Map([['OLD-3', 3]]))
    const several = await tracker.resolveKeys(['HAR-1', 'HAR-7', 'HAR-8', 'HAR-99', 'OPS-4'], never)
    expect(several).toEqual(
      new Map([
        ['HAR-1', 1],
        ['HAR-7', 2],
        ['HAR-8', 3],
      ]),
    )
  })
})

describe('a server behind a proxy', () => {
  it.each([
    ['<html><body>Not found</body></html>', 'text/html'],
    ['<?xml version="1.0"?><status><status-code>404</status-code></status>', 'application/xml'],
  ])('is known by what both deployments say about themselves: %s', async (text, contentType) => {
    const unknownVersion = { text, contentType }
    const { tracker } = await openJira({ deployment: 'server', issues: [{ id: 1 }], unknownVersion })
    expect(await tracker.getItem(1, never)).toMatchObject({ key: 'HAR-1' })
  })

  it('that is not Jira is named as such', async () => {
    const { tracker } = await openJira({ deployment: 'server', answer: () => ({ status: 404, text: '<html></html>' }) })
    expect(await errorOf(tracker.getItem(1, never))).toMatchObject({ message: expect.stringMatching(/no Jira API/) })
  })
})

describe('an account that Jira asks for a CAPTCHA', () => {
  it.each([
    ['AUTHENTICATION_DENIED', 401],
    ['OUT', 403],
  ])('must sign in with a browser: %s', async (reason, status) => {
    const headers = {
      'x-seraph-loginreason': reason,
      'x-authentication-denied-reason': 'CAPTCHA_CHALLENGE; login-url=https://jira.example/login.jsp',
    }
    const { tracker } = await openJira({
      deployment: 'server',
      answer: () => ({ status, headers, json: { errorMessages: ['Forbidden'] } }),
    })
    expect(await errorOf(tracker.getItem(1, never))).toMatchObject({
      code: 'tracker_token',
      message: expect.stringContaining('CAPTCHA'),
      hint: expect.stringMatching(/^Sign in once at .* in a browser/),
    })
  })
})
