import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { loadSettings } from '../../src/config'

const ours = 'postgres://studio@db.example/studio'
const theirs = 'postgres://studio@elsewhere.example/studio'

/** The database that is opened with `PGPASSWORD` set, where a project's file, a user's and the environment name these. */
function opened(given: { project?: string; user?: string; env?: Record<string, string> }): string {
  const root = mkdtempSync(join(tmpdir(), 'studio-config-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  const [cwd, home] = [join(root, 'repository'), join(root, 'home')]
  for (const folder of [cwd, home]) mkdirSync(folder)
  if (given.project) writeFileSync(join(cwd, 'studio.config.json'), JSON.stringify({ db: given.project }))
  if (given.user) writeFileSync(join(home, 'config.json'), JSON.stringify({ db: given.user }))
  return loadSettings({ cwd, env: { STUDIO_HOME: home, PGPASSWORD: 'the-password', ...given.env } }).db
}

describe("the user's PGPASSWORD", () => {
  it.each([
    ['the environment', { env: { STUDIO_DB: ours } }, ours],
    ['the environment, whatever a project says', { project: theirs, env: { STUDIO_DB: ours } }, ours],
    ["the user's own file", { user: ours }, ours],
    ["a project's file that names what the user's own names", { project: ours, user: ours }, ours],
    ["a project's file that leaves the server to PGHOST", { project: 'postgres:///studio' }, 'postgres:///studio'],
  ])('goes to a server out of %s', (_, given, address) => {
    expect(opened(given)).toBe(address)
  })

  it.each([
    ['alone', { project: theirs }],
    ["against the user's own file", { project: theirs, user: ours }],
    ['by a parameter', { project: 'postgres://studio@/studio?host=elsewhere.example' }],
    ['by a parameter without a user', { project: 'postgres:///studio?host=elsewhere.example' }],
    ['with an empty password', { project: `${theirs}?password=` }],
  ])("does not go to a server that a project's file names %s", (_, given) => {
    expect(() => opened(given)).toThrow(
      expect.objectContaining({
        code: 'invalid',
        message: expect.stringMatching(
          /^PGPASSWORD is not sent to postgres:\/\/elsewhere\.example\/studio: only .*studio\.config\.json /,
        ),
        hint: expect.stringContaining('export STUDIO_DB=postgres://<user>@elsewhere.example/studio'),
      }),
    )
  })

  it('is no hindrance where it would not be sent', () => {
    const withPassword = 'postgres://studio:own@elsewhere.example/studio'
    expect(opened({ project: withPassword })).toBe(withPassword)
    expect(opened({ project: theirs, env: { PGPASSWORD: '' } })).toBe(theirs)
    expect(opened({ project: './here.db' })).toMatch(/here\.db$/)
  })
})
