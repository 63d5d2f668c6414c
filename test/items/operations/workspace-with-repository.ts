import { resolveReferences } from '../../../src/items/operations/resolve-references'
import { StudioError } from '../../../src/kernel'
import type { Tracker } from '../../../src/tracker'
import { openGitHub } from '../../tracker/github/fixtures'
import { openTestWorkspace } from '../test-workspace'

/** A workspace on the sandbox, with the repository works/harbor as the further tracker `code`. Its issue 101 has nothing to do with item 101. */
export async function openWithRepository({ env = {} }: { env?: NodeJS.ProcessEnv } = {}) {
  const repository = await openGitHub({
    issues: [
      { number: 101, type: 'Feature', title: 'Automate the crane' },
      { number: 102, type: 'Story', parent: 101, title: 'Read the position of the crane' },
      { number: 103, type: 'Task', parent: 102, title: 'Mount the sensor' },
    ],
    types: ['Feature', 'Story', 'Task'],
  })
  let isDown = false
  const tracker: Tracker = {
    ...repository.tracker,
    readItems(ids, options) {
      if (isDown) throw new StudioError('tracker_unavailable', 'The tracker cannot be reached.')
      return repository.tracker.readItems(ids, options)
    },
  }
  const code = { name: 'code', kind: 'github' as const, url: 'https://github.com/works/harbor', project: null }
  const workspace = await openTestWorkspace({ env, furtherTrackers: [{ ...code, open: async () => tracker }] })
  const idOf = async (reference: string): Promise<number> =>
    (await workspace.run(resolveReferences, { references: [reference] })).items[0].id
  return {
    ...workspace,
    repository,
    idOf,
    disconnect: () => {
      isDown = true
    },
  }
}
