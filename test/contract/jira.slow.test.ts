import { describe, expect, it } from 'vitest'
import { startFakeJira } from '../tracker/jira/fake-jira'
import { DEPLOYMENTS } from '../tracker/jira/fixtures'
import type { Deployment } from '../tracker/jira/jira-site'
import { program } from './program'

const account = 'robin@works.example'
const token = 'secret-token'

/** The IDs of issues are not the numbers in their keys, as in Jira. */
const issues = [
  { id: 9_101, key: 'HAR-1', type: 'Epic', summary: 'Gate check-in' },
  { id: 9_102, key: 'HAR-2', type: 'Story', parent: 'HAR-1', summary: 'Scan the code', points: 5, sprints: [24] },
  { id: 9_103, key: 'HAR-3', type: 'Story', parent: 'HAR-1', summary: 'Print the pass', points: 3, status: 'Done' },
  { id: 9_104, key: 'HAR-4', type: 'Bug', parent: 'HAR-1', summary: 'Lamp blinks', isFlagged: true, points: 2 },
  { id: 9_105, key: 'HAR-5', type: 'Sub-task', parent: 'HAR-2', summary: 'Choose a scanner' },
]

/** The program on a Jira site. On Cloud it has an account and a token, on Data Center a token alone. */
async function openProgram(deployment: Deployment) {
  const jira = await startFakeJira({ deployment, issues, token, ...(deployment === 'cloud' ? { account } : {}) })
  const studio = await program()
  const env = {
    STUDIO_TRACKER_URL: jira.url,
    STUDIO_TRACKER_KIND: 'jira',
    STUDIO_TRACKER_PROJECT: 'har',
    STUDIO_TRACKER_TOKEN: token,
    ...(deployment === 'cloud' ? { STUDIO_TRACKER_ACCOUNT: account } : {}),
  }
  return {
    ...jira,
    run: (...args: string[]) => studio.run(args, { env }),
    json: (...args: string[]) => studio.json(args, { env }),
  }
}

describe.each(DEPLOYMENTS)('the program with Jira on %s', (deployment) => {
  it('imports an epic by its key, shows, finds, reports and follows it', async () => {
    const { run, json, site } = await openProgram(deployment)
    expect((await run('import', 'HAR-1')).out).toMatch(/HAR-1 Gate check-in\n.*5 items: 5 new/)
    expect((await run('item', 'get', 'har-4')).out).toMatch(/HAR-4 Lamp blinks[\s\S]*Blocked/)
    expect(await json('search', 'scanner')).toMatchObject({ results: [{ reference: 'HAR-5' }] })
    expect((await run('item', 'search', 'jql: issuetype = Bug')).out).toContain('Lamp blinks')
    const hierarchy = (await run('report', 'hierarchy')).out
    expect(hierarchy).toContain('3 of 10 points')
    expect(hierarchy).toMatch(/Lamp blinks[\s\S]*Blocked field/)
    expect((await run('brief', '--mode', 'deterministic')).out).toMatch(/Gate check-in.*3 of 10 points/)
    // The clock of the fake site is behind.
    Object.assign(site.find('HAR-2')!, { summary: 'Scan both codes', updated: Date.now() })
    const synced = await run('item', 'sync')
    expect(synced.out).toContain('5 items checked: 1 updated, 4 unchanged')
    expect(await json('item', 'history', 'HAR-2')).toMatchObject({
      snapshots: [{ changes: [{ field: 'summary', to: 'Scan both codes' }] }, {}],
    })
  })

  it('changes, links, comments, creates and publishes', async () => {
    const { run, json, site } = await openProgram(deployment)
    await run('import', 'HAR-1')
    const set = ['--set', 'Priority=High', '--set', 'Sprint=Sprint 25', '--set', 'state=In Progress']
    const changed = await run('batch-update', 'HAR-2', 'HAR-3', ...set, '--yes')
    expect(changed.out).toContain('2 of 2 items applied')
    expect(site.find('HAR-3')).toMatchObject({ priority: 'High', sprints: [25], status: 'In Progress' })
    expect((await run('item', 'link', 'HAR-2', '--predecessor', 'HAR-4', '--yes')).exitCode).toBe(0)
    expect(site.links).toMatchObject([{ type: 'Blocks', from: 'HAR-4', to: 'HAR-2' }])
    await run('item', 'comment', 'HAR-2', 'Ask **Ines**.', '--yes')
    expect((await run('item', 'comments', 'HAR-2')).out).toContain('Ask **Ines**.')
    const created = await json('item', 'create', '--type', 'Story', '--title', 'Lamp', '--parent', 'HAR-1', '--yes')
    expect(site.find(created.id)).toMatchObject({ key: 'HAR-6', parent: 'HAR-1', labels: [] })
    await run('draft', 'save', '--title', 'Signal', '--description', 'Shows **red**.', '--story-points', '5')
    const published = await json('draft', 'publish', '1', '--type', 'Story', '--parent', 'HAR-1', '--yes')
    expect(site.find(published.itemId)).toMatchObject({ summary: 'Signal', points: 5, labels: [] })
    await run('draft', 'save', '--id', '1', '--description', 'Shows **green**.')
    expect(await json('draft', 'publish', '1', '--yes')).toMatchObject({ action: 'update' })
    expect(JSON.stringify(site.find(published.itemId)!.description)).toContain('green')
  })

  it('says what is wrong with a state, a key and a token', async () => {
    const { run } = await openProgram(deployment)
    await run('import', 'HAR-1')
    const refused = await run('batch-update', 'HAR-2', '--set', 'state=Parked', '--yes')
    expect(refused.exitCode).not.toBe(0)
    expect(refused.err).toContain('Parked')
    expect((await run('item', 'get', 'HAR-99')).err).toContain('HAR-99')
    const checked = (await run('doctor')).out
    expect(checked).toMatch(/✓ tracker .*project HAR, token accepted/)
    expect(checked).not.toContain(token)
  })
})
