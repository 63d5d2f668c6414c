import { onTestFinished } from 'vitest'
import { type AnyOperation, execute } from '../../../src/kernel'
import { openMemoryDatabase } from '../../../src/storage'
import { migrations, openStudio } from '../../../src/studio'
import { openTracker, type Tracker, type TrackerSettings } from '../../../src/tracker'
import { quick } from '../azure-devops/fixtures'
import { type FakeJira, type FakeJiraOptions, startFakeJira } from './fake-jira'
import type { Deployment, FakeIssue } from './jira-site'

export const DEPLOYMENTS: readonly Deployment[] = ['cloud', 'server']

export interface OpenedJira extends FakeJira {
  tracker: Tracker
}

/** Opens the adapter on a fake site with the project HAR. */
export async function openJira(
  options: Omit<FakeJiraOptions, 'token'>,
  settings: Partial<TrackerSettings> = {},
): Promise<OpenedJira> {
  const jira = await startFakeJira({ token: 'secret-token', ...options })
  const tracker = openJiraTracker(jira, settings)
  onTestFinished(() => tracker.close())
  return { ...jira, tracker }
}

export function openJiraTracker({ url }: Pick<FakeJira, 'url'>, settings: Partial<TrackerSettings> = {}): Tracker {
  return openTracker({ kind: 'jira', url, project: 'HAR', token: 'secret-token', limits: quick, ...settings })
}

/** A workspace in memory over a fake site. `restart` opens it again as a new process does, with nothing but what is stored. */
export async function openJiraWorkspace(options: Omit<FakeJiraOptions, 'token'>) {
  const jira = await startFakeJira({ token: 'secret-token', ...options })
  const db = await openMemoryDatabase(migrations)
  onTestFinished(() => db.close())
  /** A new process; each call of the result opens the context of one operation. */
  const openProcess = () => {
    const tracker = openJiraTracker(jira)
    const studio = openStudio({
      env: { STUDIO_HOME: '/nowhere', STUDIO_USER: 'robin' },
      cwd: '/',
      db,
      openTracker: async () => tracker,
    })
    onTestFinished(() => tracker.close())
    return () => studio.context({ actor: { kind: 'terminal', tenant: 'default' } })
  }
  const restart = () => {
    const openContext = openProcess()
    return (operation: AnyOperation, input: unknown): Promise<any> => execute(operation, input, openContext())
  }
  return { ...jira, run: restart(), restart, openProcess }
}

type Backlog = (Partial<FakeIssue> & { id: number })[]

/** An epic with stories and subtasks below it: `stories` × `subtasks` + `stories` + 1 issues, from number 1. */
export function createBacklog(stories: number, subtasks: number): Backlog {
  const issues: Backlog = [{ id: 1, type: 'Epic' }]
  for (let story = 0; story < stories; story++) {
    const id = issues.length + 1
    issues.push({ id, type: 'Story', parent: 'HAR-1' })
    for (let task = 0; task < subtasks; task++)
      issues.push({ id: issues.length + 1, type: 'Sub-task', parent: `HAR-${id}` })
  }
  return issues
}
