import { describe, expect } from 'vitest'
import { findBarriers, it, type Visit, visit } from '../browser'
import { type ConsoleServed, servedConsole } from '../console-fixtures'

const PAGES = [
  '/work',
  '/work?view=list',
  '/work?q=gate',
  '/work?f=state%3AActive',
  '/work/items/204',
  '/work/items/204?edit',
  '/work/items/204/copy',
  '/work/import',
  '/work/new?parent=204',
  '/work/change?id=204&id=311',
  '/work/saved',
  '/drafts',
  '/drafts?folder=2',
]

async function filled(): Promise<ConsoleServed> {
  const service = await servedConsole()
  await service.run('features.import', { featureId: 101 })
  const { id } = await service.run('folders.create', { name: 'x'.repeat(200) })
  await service.run('drafts.save', { title: `<b>${'word'.repeat(200)}</b>`, folderId: id })
  return service
}

/** By how much the page is wider than its window. */
const overflowOf = ({ page }: Visit) => page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')

const focusedRow = ({ page }: Visit) => page.evaluate<string | undefined>('document.activeElement.dataset.id')

describe('work in a real browser', () => {
  it.each([390, 1280, 1920])('has no barriers and fits a window of %i pixels, in both themes', async (width) => {
    const service = await filled()
    for (const colorScheme of ['light', 'dark'] as const) {
      const visited = await visit({ viewport: { width, height: 900 }, colorScheme })
      for (const path of PAGES) {
        await visited.page.goto(`${service.url}/console${path}`)
        await visited.page.waitForLoadState('networkidle')
        expect([path, await findBarriers(visited), await overflowOf(visited)]).toEqual([path, [], 0])
      }
      expect(visited.problems).toEqual([])
      await visited.context.close()
    }
  })

  it('the tree is read with the keyboard alone, and stays as it was left', async () => {
    const service = await filled()
    const visited = await visit()
    const { page } = visited
    await page.goto(`${service.url}/console/work`)
    await page.locator('tr[data-id="101"]').focus()
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key)
      return focusedRow(visited)
    }
    expect(await press('ArrowDown')).toBe('201')
    expect(await press('ArrowLeft', 'ArrowDown')).toBe('202')
    expect(await page.locator('tr[data-id="311"]').isHidden()).toBe(true)
    expect(await press('ArrowUp', 'ArrowRight', 'ArrowRight')).toBe('311')
    expect(await press('ArrowLeft', 'ArrowLeft')).toBe('201')
    const last = await press('End')
    expect(await press('Home')).toBe('101')
    expect(last).not.toBe('101')
    // A tab leaves the tree, because its rows are one stop.
    await page.keyboard.press('Tab')
    expect(await focusedRow(visited)).toBeUndefined()
    await page.keyboard.press('Shift+Tab')
    expect(await focusedRow(visited)).toBe('101')
    await page.reload()
    expect(await page.locator('tr[data-id="311"]').isHidden()).toBe(true)
    await page.locator('tr[data-id="101"]').focus()
    await press('Space', 'ArrowDown', 'Space')
    await page.getByText('2 chosen').waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL('**/console/work/items/201')
    expect(visited.problems).toEqual([])
  })

  it('a branch of a long tree is loaded when it is opened, and again when the page is', async () => {
    const service = await servedConsole()
    const items = Array.from({ length: 400 }, (_, at) => ({
      id: 1000 + at,
      rev: 1,
      type: at % 40 === 0 ? 'Feature' : 'Task',
      title: `Item ${at}`,
      state: 'New',
      parentId: at % 40 === 0 ? null : 1000 + at - (at % 40) + (at % 40 > 20 ? 20 : 0),
      url: 'https://tracker.example.com/1',
      changedAt: '2026-11-01T00:00:00.000Z',
    }))
    await service.run('items.import-file', { text: JSON.stringify(items) })
    const visited = await visit()
    const { page } = visited
    const rows = page.locator('tbody tr:visible')
    await page.goto(`${service.url}/console/work`)
    expect(await rows.count()).toBe(10)
    await page.locator('tr[data-id="1000"]').focus()
    // An impatient reader presses twice.
    await page.evaluate(`for (const _ of [1, 2])
      document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true }))`)
    const branch = page.locator('tr[data-id="1020"]')
    await branch.waitFor()
    expect(await branch.getAttribute('aria-level')).toBe('2')
    await branch.focus()
    await page.keyboard.press('ArrowLeft')
    expect(await rows.count()).toBe(30)
    await page.reload()
    await branch.waitFor()
    expect(await rows.count()).toBe(30)
    expect(visited.problems).toEqual([])
  })

  it('features are chosen from the tracker and imported, each with its outcome', async () => {
    const service = await servedConsole()
    const visited = await visit()
    const { page } = visited
    await page.goto(`${service.url}/console/work`)
    const rows = page.getByRole('table', { name: 'Features' }).getByRole('row')
    await rows.nth(1).waitFor()
    await rows.nth(1).getByRole('checkbox').check()
    await rows.nth(2).getByRole('checkbox').check()
    await page.getByRole('button', { name: 'Import the chosen ones' }).click()
    await page.getByText('2 imported.', { exact: false }).first().waitFor()
    await page.getByRole('link', { name: 'Show the work' }).click()
    await page.getByRole('treegrid').waitFor()
    expect((await service.run('priorities.get', {})).available).toHaveLength(2)
    expect(visited.problems).toEqual([])
  })

  it('chosen items are changed as the plan has shown, and as nothing else', async () => {
    const service = await filled()
    const visited = await visit()
    const { page } = visited
    await page.goto(`${service.url}/console/work?view=list&f=type:Task&f=state:New`)
    await page.getByRole('link', { name: /Change all \d+ items that match/ }).click()
    await page.getByLabel('Priority').fill('1')
    await page.getByRole('button', { name: 'Show the plan' }).click()
    const plan = page.getByRole('region', { name: 'Plan' })
    await plan.waitFor()
    const before = await service.run('items.get', { id: 344, cached: true })
    await plan.getByRole('button', { name: /^Change \d+ items?$/ }).click()
    await page
      .getByRole('region', { name: 'Results' })
      .getByText(/of \d+ changed/)
      .waitFor()
    const after = await service.run('items.get', { id: 344, cached: true })
    expect([before.priority === 1, after.priority, after.state]).toEqual([false, 1, before.state])
    expect(visited.problems).toEqual([])
  })

  it('an item is edited, commented and linked, and each is seen at once', async () => {
    const service = await filled()
    const visited = await visit()
    const { page } = visited
    await page.goto(`${service.url}/console/work/items/204`)
    await page.getByRole('link', { name: 'Edit' }).click()
    await page.getByLabel('Story points').fill('3')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('The item was changed.').waitFor()
    await page.getByLabel('Comment', { exact: true }).fill('The gate is **open**. <img src=x onerror=alert(1)>')
    await page.getByRole('button', { name: 'Comment', exact: true }).click()
    await page.locator('#comments strong', { hasText: 'open' }).waitFor()
    await page.getByText('Link to other items').click()
    await page.getByLabel('Must be completed first').fill('201, 202')
    await page.getByRole('button', { name: 'Show the plan' }).click()
    await page.getByRole('button', { name: /^Change \d items?$/ }).click()
    await page.getByText('The link was added.').waitFor()
    const { storyPoints, predecessors } = await service.run('items.get', { id: 204, cached: true })
    expect([storyPoints, predecessors.map(({ id }: { id: number }) => id)]).toEqual([3, [201, 202]])
    expect(visited.problems).toEqual([])
  })

  it('a copy shows in the original what it removes, and is saved as it was shown', async () => {
    const service = await filled()
    const visited = await visit()
    const { page } = visited
    await page.goto(`${service.url}/console/work/items/204/copy`)
    const removed = page.locator('mark.removed')
    expect(await removed.filter({ hasText: 'marek.dvorak@sms.quayside.example' }).getAttribute('title')).toBe(
      'Removed: email',
    )
    await page.getByLabel('Folder').selectOption('2')
    await page.waitForURL(/folderId=2/)
    await page.getByRole('button', { name: 'Save as a draft' }).click()
    await page.getByText('The clean copy was saved as a draft.').waitFor()
    const [draft] = await service.run('drafts.list', { sourceItemId: 204 })
    expect([draft.folderId, draft.description.includes('marek')]).toEqual([2, false])
    expect(visited.problems).toEqual([])
  })
})
