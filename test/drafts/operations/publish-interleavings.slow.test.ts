import fc from 'fast-check'
import { expect, it } from 'vitest'
import { copySanitize } from '../../../src/drafts/operations/copy-sanitize'
import { getDraft } from '../../../src/drafts/operations/get-draft'
import { publishDraft } from '../../../src/drafts/operations/publish-draft'
import { saveDraft } from '../../../src/drafts/operations/save-draft'
import { execute, StudioError } from '../../../src/kernel'
import { openTracker, type Tracker } from '../../../src/tracker'
import { openTestWorkspace } from '../../items/test-workspace'

const STORY = 204
const DESCRIPTION = 'System.Description'
const PARAGRAPHS = 5
const RUNS = Number(process.env['STUDIO_RUNS'] ?? 400)

/** What happens at a point between two requests. */
const event = fc.record({
  at: fc.nat(7),
  what: fc.constantFrom('theirs', 'theirs', 'ours', 'lost'),
  paragraph: fc.nat(PARAGRAPHS - 1),
})

/** Runs what is due before each call of the tracker and after it. A lost answer is one that the call has and does not give. */
class Scheduler {
  events = new Map<number, () => Promise<void>>()
  lost = new Set<number>()
  #step = 0

  start(): void {
    this.#step = 0
    this.events.clear()
    this.lost.clear()
  }

  wrap(tracker: Tracker): Tracker {
    return new Proxy(tracker, {
      get: (target, name) => {
        const value = Reflect.get(target, name)
        if (typeof value !== 'function') return value
        // What is read page by page, and what is known without a request, has no answer to lose.
        if (/^(?:read|close|resolve|describe)/.test(String(name))) return value.bind(target)
        return async (...given: unknown[]) => {
          await this.#pass()
          const answer = await value.apply(target, given)
          if (this.lost.has(this.#step) && name !== 'listPropertyFields')
            throw new StudioError('tracker_timeout', 'The answer was lost.')
          await this.#pass()
          return answer
        }
      },
    })
  }

  async #pass(): Promise<void> {
    await this.events.get(this.#step)?.()
    this.#step++
  }
}

it('loses no edit, sends nothing that was not shown, and creates no item twice, whatever happens between two requests', async () => {
  const workspace = await openTestWorkspace()
  const { url, project } = workspace.sandbox
  const scheduler = new Scheduler()
  const tracker = scheduler.wrap(
    openTracker({ url, project, token: null, limits: { baseBackoffMs: 1, maxBackoffMs: 2 } }),
  )
  const context = () => ({
    ...workspace.studio.context({ actor: { kind: 'terminal', tenant: 'default' } }),
    tracker: async () => tracker,
  })
  const publish = (input: object) => execute(publishDraft, input as never, context() as never) as Promise<any>
  const read = async (): Promise<string> => {
    const response = await fetch(`${url}/_apis/wit/workitems/${STORY}?api-version=7.1`)
    return ((await response.json()) as { fields: Record<string, string> }).fields[DESCRIPTION]!
  }
  const count = async (title: string) => {
    const body = JSON.stringify({ query: `SELECT [System.Id] FROM WorkItems WHERE [System.Title] = '${title}'` })
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(`${url}/${project}/_apis/wit/wiql?api-version=7.1`, { method: 'POST', headers, body })
    return ((await response.json()) as { workItems: unknown[] }).workItems.length
  }
  let unique = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(event, { maxLength: 3 }),
      fc.nat(PARAGRAPHS - 1),
      fc.constantFrom('planned', 'at once', 'as a new item'),
      async (events, own, how) => {
        scheduler.start()
        const paragraphs = Array.from(
          { length: PARAGRAPHS },
          (_, index) => `<p>Start${index} <b>middle</b> end${index}</p>`,
        )
        await workspace.changeRemotely(STORY, { [DESCRIPTION]: paragraphs.join('') })
        const { id } = await workspace.run(copySanitize, { id: STORY })
        const edit = async (paragraph: number, word: string) => {
          const { description } = await workspace.run(getDraft, { id })
          await workspace.run(saveDraft, {
            id,
            description: description.replace(`Start${paragraph}`, `Start${paragraph} ${word}`),
          })
        }
        const [theirs, ours] = [[] as string[], [`ours${unique++}`]]
        await edit(own, ours[0]!)
        for (const { at, what, paragraph } of events) {
          const word = `${what}${unique++}`
          if (what === 'lost') scheduler.lost.add(at)
          else
            scheduler.events.set(at, async () => {
              if (what === 'ours') {
                ours.push(word)
                await edit(paragraph, word)
                return
              }
              theirs.push(word)
              const now = await read()
              await workspace.changeRemotely(STORY, {
                [DESCRIPTION]: now.replace(`end${paragraph}`, `${word} end${paragraph}`),
              })
            })
        }
        const title = `Item ${unique++}`
        await workspace.run(saveDraft, { id, title })
        const target = how === 'as a new item' ? {} : { to: STORY }
        const isPlanned = how === 'planned'
        const shown: string[] = []
        let planId: string | undefined
        if (isPlanned) {
          const plan = await publish({ id, ...target, dryRun: true }).catch(() => null)
          planId = plan?.planId
          shown.push(JSON.stringify(plan))
        }
        for (let attempt = 0; attempt < 6; attempt++) {
          const outcome = await publish({ id, ...target, ...(planId === undefined ? {} : { planId }) }).catch(
            (error) => error,
          )
          if (!(outcome instanceof Error)) break
          expect(['plan_changed', 'stale_revision', 'tracker_timeout', 'conflict']).toContain(
            (outcome as StudioError).code,
          )
          const [detail] = ((outcome as StudioError).details ?? []) as { planId?: string }[]
          if (detail?.planId !== undefined) {
            planId = detail.planId
            shown.push(JSON.stringify(detail))
          }
        }
        if (how === 'as a new item') {
          expect(await count(title)).toBe(1)
          return
        }
        const stored = await read()
        for (const word of theirs) expect(stored).toContain(word)
        const sent = ours.filter((word) => stored.includes(word))
        if (isPlanned && planId !== undefined) for (const word of sent) expect(shown.join()).toContain(word)
        for (const [index] of paragraphs.entries())
          expect(stored).toMatch(new RegExp(`<p>[^<]*Start${index}[^<]* <b>middle</b>[^<]* end${index}</p>`))
      },
    ),
    { numRuns: RUNS },
  )
})
