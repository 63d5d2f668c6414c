import { execFile } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { temporaryFolder } from '../temporary-folder'
import { openWorkflowLinter } from './workflow-linter'

interface Job {
  uses?: string
  permissions?: Record<string, string>
  'timeout-minutes'?: number
  strategy?: { matrix: Record<string, unknown[]> }
  steps?: { uses?: string; run?: string; with?: Record<string, unknown> }[]
}
interface Workflow {
  permissions: Record<string, string>
  jobs: Record<string, Job>
}

const FOLDER = '.github/workflows'
const texts = new Map(readdirSync(FOLDER).map((name) => [name, readFileSync(join(FOLDER, name), 'utf8')]))
const workflows = new Map([...texts].map(([name, text]) => [name, parse(text) as Workflow]))
const jobs = [...workflows.values()].flatMap((workflow) => Object.entries(workflow.jobs))
const steps = jobs.flatMap(([, job]) => job.steps ?? [])
const project = JSON.parse(readFileSync('package.json', 'utf8'))

const findingsIn = await openWorkflowLinter()

describe('the workflows', () => {
  it.each([...texts])('have no finding of a linter: %s', async (_, text) => {
    expect(await findingsIn(text)).toEqual([])
  })

  it.each([
    ['steps:', 'step:', "Unexpected value 'step'"],
    ['contents: read', 'contents: reed', "Unexpected value 'reed'"],
    ['id-token: write', 'idtoken: write', "Unexpected value 'idtoken'"],
    ['matrix.platform', 'matrix.platfrm', 'Context access might be invalid: platfrm'],
    ['needs: publish', 'needs: publis', "Job 'release' depends on unknown job 'publis'."],
    ["!= 'Windows'", '!= Windows', "Unrecognized named-value: 'Windows'"],
  ])('would have one with an error in them: %s becomes %s', async (right, wrong, finding) => {
    expect(await findingsIn(texts.get('release.yml')!.replaceAll(right, wrong))).toContain(finding)
  })

  it('name every action by a full commit, with its version beside it, and other workflows by their file', () => {
    for (const line of [...texts.values()].flatMap((text) => text.match(/uses: .*/g) ?? []))
      expect(line).toMatch(/uses: (actions\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+|\.\/\.github\/workflows\/\w+\.yml)$/)
    const others = jobs.flatMap(([, { uses }]) => uses ?? [])
    expect(others.filter((file) => !texts.has(file.replace('./.github/workflows/', '')))).toEqual([])
    const versions = [...texts.values()].flatMap((text) => text.match(/actions\/[\w-]+@.*/g) ?? [])
    expect(new Set(versions).size).toBe(new Set(versions.map((version) => version.split('@')[0])).size)
  })

  it('have the least permissions, and no credentials in the working copy', () => {
    for (const { permissions } of workflows.values()) expect(permissions).toEqual({ contents: 'read' })
    const granted = jobs.filter(([, job]) => job.permissions).map(([name, job]) => [name, job.permissions])
    expect(Object.fromEntries(granted)).toEqual({
      publish: { contents: 'read', 'id-token': 'write', attestations: 'write' },
      release: { contents: 'write' },
    })
    const checkouts = steps.filter(({ uses }) => uses?.startsWith('actions/checkout@'))
    // The whole history says whether a tag is on main.
    const depths: Record<string, number>[] = [{}, { 'fetch-depth': 0 }, {}, {}]
    expect(checkouts.map((step) => step.with)).toEqual(
      depths.map((depth) => ({ 'persist-credentials': false, ...depth })),
    )
  })

  it('give jobs that may publish nothing to run but what other jobs have made', () => {
    for (const [, { steps = [] }] of jobs.filter(([, job]) => job.permissions)) {
      expect(steps.map(({ uses }) => uses ?? '')).not.toContainEqual(expect.stringContaining('checkout'))
      expect(
        steps.map(({ run }) => run ?? '').filter((run) => /\bnpm (ci|install|run)\b|\bnode\b|\bnpx\b/.test(run)),
      ).toEqual([])
    }
  })

  it('end jobs that hang', () => {
    expect(jobs.filter(([, job]) => !job.uses && !job['timeout-minutes']).map(([name]) => name)).toEqual([])
  })

  it('run scripts and files that there are', () => {
    const runs = steps.flatMap(({ run }) => run ?? [])
    const scripts = runs.flatMap((run) => [...run.matchAll(/npm run (\S+)/g)].map(([, name]) => name))
    expect(scripts).toEqual(expect.arrayContaining(['check', 'executable']))
    expect(scripts.filter((name) => !(name! in project.scripts))).toEqual([])
    const files = runs.flatMap((run) => [...run.matchAll(/node (\S+\.\w+)/g)].map(([, file]) => file!))
    for (const file of files) expect(readFileSync(file, 'utf8')).not.toBe('')
  })

  it('check with the command of the README, on every system and every version of Node.js', () => {
    const { strategy, steps = [] } = workflows.get('ci.yml')!.jobs['check']!
    const command = steps.at(-1)!.run!
    expect(readFileSync('README.md', 'utf8')).toContain(`\n${command}\n`)
    expect(strategy!.matrix['os']!.map((name) => String(name).split('-')[0])).toEqual(['ubuntu', 'macos', 'windows'])
    expect(strategy!.matrix['node']).toEqual([20, 22, 24, 26])
  })
})

describe.runIf(process.platform === 'linux')('a release', () => {
  it('is refused for a tag that is not on main', async () => {
    const { run } = workflows
      .get('release.yml')!
      .jobs['notes']!.steps!.find((step) => step.run?.startsWith('git merge-base'))!
    const cwd = temporaryFolder()
    const git = async (...args: string[]) => {
      const { stdout } = await promisify(execFile)('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
        cwd,
      })
      return stdout.trim()
    }
    await git('init', '--quiet')
    await git('commit', '--quiet', '--allow-empty', '-m', 'on main')
    const onMain = await git('rev-parse', 'HEAD')
    await git('update-ref', 'refs/remotes/origin/main', onMain)
    await git('commit', '--quiet', '--allow-empty', '-m', 'beside main')
    const runFor = (sha: string) =>
      promisify(execFile)('sh', ['-ec', run!], { cwd, env: { ...process.env, GITHUB_SHA: sha } })
    await runFor(onMain)
    await expect(runFor(await git('rev-parse', 'HEAD'))).rejects.toThrow()
  })
})

describe.runIf(process.platform === 'linux')('the checksums of a release', () => {
  it('are those of what is published, also if the job is run again', async () => {
    const folder = temporaryFolder()
    for (const name of ['notes.md', 'story-studio-1.0.0.tgz']) writeFileSync(join(folder, name), name)
    const { run } = workflows
      .get('release.yml')!
      .jobs['publish']!.steps!.find((step) => step.run?.includes('SHA256SUMS'))!
    const runStep = () => promisify(execFile)('sh', ['-ec', run!], { cwd: folder })
    await runStep()
    await runStep()
    const { stdout } = await promisify(execFile)('sha256sum', ['--check', 'SHA256SUMS'], { cwd: folder })
    expect(stdout).toBe('story-studio-1.0.0.tgz: OK\n')
  })

  it('and all other artifacts replace those of the run before, which GitHub refuses otherwise', () => {
    const uploads = steps.filter(({ uses }) => uses?.startsWith('actions/upload-artifact@'))
    expect(uploads.map((step) => step.with!['overwrite'])).toEqual(uploads.map(() => true))
  })
})

describe('the scripts of package.json', () => {
  it('run in every shell: without variables before a command, and quotes that cmd does not know', () => {
    const scripts = Object.entries<string>(project.scripts)
    expect(scripts.filter(([, script]) => /(^|[&|] *)\w+=|'|\$|`|;|(^|[&|] *)(rm|cp|mv) /.test(script))).toEqual([])
  })
})

describe('the notes of a release', () => {
  const script = resolve('.github/release-notes.mjs')
  const changelog =
    '# Changelog\n\n## 1.2.0 (2027-03-01)\n\nNew.\n\n### Fixed\n\n- A bug.\n\n## 1.1.0 (2027-01-01)\n\nOld.\n'
  const repository = { type: 'git', url: 'git+https://github.com/acme/studio.git' }

  async function write(tag: string, files: { changelog?: string; repository?: object } = {}): Promise<string> {
    const cwd = temporaryFolder()
    const manifest = { version: '1.2.0', repository: 'repository' in files ? files.repository : repository }
    writeFileSync(join(cwd, 'package.json'), JSON.stringify(manifest))
    writeFileSync(join(cwd, 'CHANGELOG.md'), files.changelog ?? changelog)
    const env = { GITHUB_REF_NAME: tag, GITHUB_REPOSITORY: 'acme/studio' }
    await promisify(execFile)(process.execPath, [script, 'notes.md'], { cwd, env })
    return readFileSync(join(cwd, 'notes.md'), 'utf8')
  }

  it('are the section of the changelog', async () => {
    expect(await write('v1.2.0')).toBe('New.\n\n### Fixed\n\n- A bug.\n')
  })

  it('are refused for a tag of another version, a version without a date, and a package of another repository', async () => {
    await expect(write('v1.2.1')).rejects.toThrow('The tag is v1.2.1, but package.json has version 1.2.0.')
    await expect(write('v1.2.0', { changelog: '## 1.1.0 (2027-01-01)\n' })).rejects.toThrow(
      'CHANGELOG.md has no section',
    )
    await expect(write('v1.2.0', { changelog: '## 1.2.0 (unreleased)\n' })).rejects.toThrow('Write the date')
    for (const other of [undefined, { url: 'git+https://github.com/acme/other.git' }])
      await expect(write('v1.2.0', { repository: other as object })).rejects.toThrow('The "repository" of package.json')
  })
})
