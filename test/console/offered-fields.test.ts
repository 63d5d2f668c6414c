import { expect, it } from 'vitest'
import type { PageRequest } from '../../src/console/console-page'
import { workPage } from '../../src/console/pages/work'
import { isOffered, type TrackerKind } from '../../src/tracker'

/** The page of a workspace without items. */
async function renderWork(kinds: readonly TrackerKind[]): Promise<string> {
  const answers: Record<string, unknown> = {
    'reports.hierarchy': { features: [], unparented: [] },
    'views.list': [],
    'items.sync-status': [],
  }
  const request: PageRequest = {
    params: {},
    query: {},
    toPageHtml: async () => '',
    url: '/console/work',
    now: 0,
    run: async (id) => answers[id] as never,
    runList: async () => ({ entries: [] as never, total: 0 }),
    service: { version: '1', accessSummary: [], isOffered: (capability) => isOffered(capability, kinds) },
    actorFor: () => ({ kind: 'local' }),
    may: async () => true,
  }
  return String(await (await workPage.render(request)).body)
}

it('the form of a view has no criterion that no tracker of the settings can have', async () => {
  const onGitHub = await renderWork(['github'])
  expect(onGitHub).toContain('name="criteria.iteration"')
  expect(onGitHub).not.toContain('name="criteria.area"')
  expect(await renderWork(['github', 'azure-devops'])).toContain('name="criteria.area"')
})
