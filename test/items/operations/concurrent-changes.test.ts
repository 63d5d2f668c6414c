import { expect, it } from 'vitest'
import { copySanitize } from '../../../src/drafts/operations/copy-sanitize'
import { batchUpdate } from '../../../src/items/operations/batch-update'
import { getItem } from '../../../src/items/operations/get-item'
import { importSingle } from '../../../src/items/operations/import/import-single'
import { type AnyOperation, type Context, execute } from '../../../src/kernel'
import type { Tracker } from '../../../src/tracker'
import { openTestWorkspace, type TestWorkspace } from '../test-workspace'

/** Runs `then` after the first answer to a call of `name`. */
function withInterruption(tracker: Tracker, name: keyof Tracker, then: () => Promise<unknown>): Tracker {
  let isDone = false
  return new Proxy(tracker, {
    get(target, asked) {
      const member = target[asked as keyof Tracker]
      if (typeof member !== 'function') return member
      if (asked !== name) return member.bind(target)
      return async (...args: never[]) => {
        const answer = await (member as (...args: never[]) => Promise<unknown>).apply(target, args)
        if (!isDone) {
          isDone = true
          await then()
        }
        return answer
      }
    },
  })
}

const changeElsewhere = async (workspace: TestWorkspace) => {
  await workspace.changeRemotely(343, { 'System.Title': 'A newer title' })
  await workspace.run(getItem, { id: 343 })
}

const cases: [what: string, op: AnyOperation, input: unknown, call: keyof Tracker][] = [
  ['an update', batchUpdate, { itemIds: [343], updates: { Priority: 1 } }, 'updateItems'],
  ['a copy', copySanitize, { id: 343 }, 'getItems'],
  ['an import', importSingle, { id: 343 }, 'getItems'],
]

it.each(cases)('%s does not replace a newer revision that was saved meanwhile', async (_, op, input, call) => {
  let now = Date.parse('2026-11-16T14:00:00Z')
  const workspace = await openTestWorkspace({ clock: { now: () => ++now } })
  await workspace.run(getItem, { id: 343 })
  const context = workspace.studio.context({ actor: { kind: 'terminal', tenant: 'default' } })
  const tracker = withInterruption(await context.tracker(), call, () => changeElsewhere(workspace))
  await execute(op, input, { ...context, tracker: async () => tracker } as Context)
  const stored = await workspace.run(getItem, { id: 343, cached: true })
  expect(stored.title).toBe('A newer title')
  expect(await workspace.run(getItem, { id: 343 })).toMatchObject({ localRev: stored.localRev })
})
