import { expect, it } from 'vitest'
import type { PageRequest } from '../../src/console/console-page'
import { savedPage } from '../../src/console/pages/work/saved'
import { isOffered, type TrackerKind } from '../../src/tracker'

/** The page of what is saved, in a workspace without items. */
async function renderSaved(kinds: readonly TrackerKind[]): Promise<string> {
  const answers: Record<string, unknown> = {
    'views.list': [],
    'filters.list': [],
    'filters.working': { criteria: {}, itemCount: 0, updatedAt: null },
  }
  const request: PageRequest = {
    params: {},
    query: {},
    toPageHtml: async () => '',
    toMarkdown: async () => '',
    url: '/console/work/saved',
    now: 0,
    run: async (id) => answers[id] as never,
    runList: async () => ({ entries: [] as never, total: 0 }),
    service: {
      version: '1',
      accessSummary: [],
      sendsSignInLinks: false,
      listTrackerSettings: async () => [],
      isOffered: (capability) => isOffered(capability, kinds),
    },
    actorFor: () => ({ kind: 'local' }),
    may: async () => true,
  }
  return String(await (await savedPage.render(request)).body)
}

it('the form of a view has no criterion that no tracker of the settings can have', async () => {
  const onGitHub = await renderSaved(['github'])
  expect(onGitHub).toContain('name="criteria.iteration"')
  expect(onGitHub).not.toContain('name="criteria.area"')
  expect(await renderSaved(['github', 'azure-devops'])).toContain('name="criteria.area"')
})
