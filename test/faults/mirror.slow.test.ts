import { describe, expect, it, onTestFinished } from 'vitest'
import { bigTree } from '../bench/workspace-tree'
import { program } from '../contract/program'
import type { Fault } from '../sandbox/fault-presets'
import { startTestSandbox } from '../sandbox/test-sandbox'

const SIZE = 1_000
const PAGE = 200

describe('an import that is killed', () => {
  it('has saved complete pages, and the next import continues from there', async () => {
    let onThirdPage = () => {}
    const thirdPage = new Promise<void>((resolve) => {
      onThirdPage = resolve
    })
    let pages = 0
    let isFirst = true
    const waitForEver: Fault = { hold: () => new Promise(() => {}) }
    const sandbox = await startTestSandbox({
      seed: bigTree(SIZE),
      faults: ({ path }) => {
        if (!isFirst || !path.includes('workitemsbatch') || ++pages < 3) return null
        onThirdPage()
        return waitForEver
      },
    })
    onTestFinished(() => sandbox.close())
    const studio = await program()
    const env = { STUDIO_TRACKER_URL: sandbox.url, STUDIO_TRACKER_PROJECT: sandbox.project }
    const keptIds = async (): Promise<number[]> =>
      (await studio.json(['item', 'list'], { env })).map(({ id }: { id: number }) => id)

    const running = studio.start(['import', '1'], env)
    await thirdPage
    // Waits until two pages are saved, so that there is something to continue from.
    let kept: number[] = []
    while (kept.length < PAGE) kept = await keptIds()
    running.kill('SIGKILL')
    await running
    kept = await keptIds()
    expect(kept.length % PAGE).toBe(0)
    expect((await studio.json(['search', 'pallet'], { env })).total).toBe(kept.length)

    isFirst = false
    sandbox.requests.length = 0
    expect(await studio.json(['import', '1'], { env })).toMatchObject({
      imported: SIZE - kept.length,
      unchanged: kept.length,
    })
    const asked = sandbox.requests.flatMap((request): number[] =>
      request.path.includes('workitemsbatch') ? JSON.parse(request.body).ids : [],
    )
    expect(asked.filter((id) => kept.includes(id))).toEqual([])
    expect(await keptIds()).toHaveLength(SIZE)
    expect((await studio.json(['search', 'pallet'], { env })).total).toBe(SIZE)
  })
})

describe('two concurrent imports', () => {
  it('save every item once', async () => {
    const sandbox = await startTestSandbox({ seed: bigTree(SIZE) })
    onTestFinished(() => sandbox.close())
    const studio = await program()
    const env = { STUDIO_TRACKER_URL: sandbox.url, STUDIO_TRACKER_PROJECT: sandbox.project }
    const [one, two] = await Promise.all([studio.run(['import', '1'], { env }), studio.run(['import', '1'], { env })])
    expect([one.exitCode, two.exitCode]).toEqual([0, 0])
    expect(await studio.json(['item', 'list'], { env })).toHaveLength(SIZE)
    expect((await studio.json(['search', 'pallet'], { env })).total).toBe(SIZE)
    expect((await studio.json(['item', 'history', '500'], { env })).snapshots).toHaveLength(1)
  })
})
