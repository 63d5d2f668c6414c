import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SHELLS, scripts } from '../../commands/completion/completion'
import { importFeature } from '../../src/items/operations/import/import-feature'
import { execute } from '../../src/kernel'
import { openStudio } from '../../src/library'
import * as core from '../../src/studio'
import { openGitHub } from '../tracker/github/fixtures'

const HOSTILE = 'it\'s "$(touch pwned)" `touch pwned`: a\tb\u001b[31m\nnext; touch pwned'

const has = (shell: string) => spawnSync(shell, ['-c', 'exit 0']).status === 0

/** PowerShell 7, or the one of Windows. Wine has one that runs nothing. */
const powerShell = ['pwsh', 'powershell'].find(
  (shell) => spawnSync(shell, ['-c', '1+1'], { encoding: 'utf8' }).stdout?.trim() === '2',
)

describe('completion in a shell', () => {
  let home: string
  let draft: number
  let env: NodeJS.ProcessEnv
  beforeAll(async () => {
    home = mkdtempSync(join(tmpdir(), 'studio-completion-'))
    const studio = openStudio({ env: { STUDIO_HOME: home }, cwd: home })
    await studio.call('features.import', { featureId: 101 })
    draft = ((await studio.call('drafts.save', { title: HOSTILE })) as { id: number }).id
    await studio.close()
    const bin = join(home, 'bin')
    mkdirSync(bin)
    writeFileSync(join(bin, 'studio'), `#!/bin/sh\nexec "${process.execPath}" "${resolve('bin/studio.js')}" "$@"\n`)
    chmodSync(join(bin, 'studio'), 0o755)
    writeFileSync(join(bin, 'studio.cmd'), `@"${process.execPath}" "${resolve('bin/studio.js')}" %*\r\n`)
    for (const shell of SHELLS) writeFileSync(join(home, `c.${shell}`), scripts[shell])
    env = { ...process.env, HOME: home, STUDIO_HOME: home, PATH: `${bin}${delimiter}${process.env['PATH']}` }
  })
  afterAll(() => rmSync(home, { recursive: true, force: true }))

  /** What bash is left with for a line that ends at the cursor, cut into words as bash does it. */
  function inBash(words: string[], { line, listed = false }: { line: string; listed?: boolean }): string[] {
    const script = `source c.bash; COMP_TYPE=${listed ? 63 : 9}; COMP_LINE=$1; COMP_POINT=\${#1}; shift
      COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _studio; printf '%s\\n' "\${COMPREPLY[@]}"`
    const out = execFileSync('bash', ['-c', script, 'bash', line, ...words], { env, cwd: home, encoding: 'utf8' })
    return out.split('\n').filter(Boolean)
  }

  it.runIf(has('bash'))('bash replaces the piece behind = alone, and lists titles', () => {
    expect(inBash(['studio', 'dra'], { line: 'studio dra' })).toEqual(['draft'])
    expect(inBash(['studio', 'draft', 'list', '--sort', '=', 'ti'], { line: 'studio draft list --sort=ti' })).toEqual([
      'title',
    ])
    expect(inBash(['studio', 'draft', 'list', '--sort', '='], { line: 'studio draft list --sort=' })).toContain('title')
    expect(inBash(['studio', 'item', 'get', '20'], { line: 'studio item get 20' })).toContain('204')
    const listed = inBash(['studio', 'item', 'get', '20'], { line: 'studio item get 20', listed: true })
    expect(listed).toContain('204  (Driver is told the dock door by text message)')
    expect(inBash(['studio', 'backup', 'c.ba'], { line: 'studio backup c.ba' })).toEqual(['c.bash'])
    const types = inBash(['studio', 'book', '--type', ''], { line: 'studio book --type ', listed: true })
    expect(types).toEqual(expect.arrayContaining(['pickup', 'delivery']))
    const fields = ['studio', 'draft', 'list', '--fields', 'id,ti']
    expect(inBash(fields, { line: fields.join(' ') })).toEqual(['id,title'])
  })

  it.runIf(has('bash'))('bash completes the reference of an item, which it splits at the colon', async () => {
    const { tracker } = await openGitHub({
      issues: [
        { number: 101, type: 'Feature', title: 'Automate the crane' },
        { number: 102, type: 'Story', parent: 101, title: 'Read the position of the crane' },
      ],
      types: ['Feature', 'Story'],
    })
    const code = { name: 'code', kind: 'github' as const, url: 'https://github.com/works/harbor', project: null }
    const furtherTrackers = [{ ...code, open: async () => tracker }]
    const studio = core.openStudio({ env: { STUDIO_HOME: home }, cwd: home, furtherTrackers })
    const context = studio.context({ actor: { kind: 'terminal', tenant: 'default' } })
    await execute(importFeature, { featureId: 'code:works/harbor#101' }, context)
    await studio.close()

    const complete = (...pieces: string[]) =>
      inBash(['studio', 'item', 'get', ...pieces], { line: `studio item get ${pieces.join('')}` })
    expect(complete('co').sort()).toEqual(['code:works/harbor#101', 'code:works/harbor#102'])
    expect(complete('code', ':').sort()).toEqual(['works/harbor#101', 'works/harbor#102'])
    expect(complete('code', ':', 'works/harbor#102')).toEqual(['works/harbor#102'])
    expect(complete('code', ':', 'works/other')).toEqual([])
    expect(complete('204')).toEqual(['204'])
  })

  it.runIf(has('bash'))('bash runs nothing from a title', () => {
    expect(inBash(['studio', 'draft', 'get', ''], { line: 'studio draft get ', listed: true })).toHaveLength(1)
    expect(existsSync(join(home, 'pwned'))).toBe(false)
  })

  it.runIf(has('fish'))('fish offers values with titles, and runs none', () => {
    const ask = (line: string) =>
      execFileSync('fish', ['-c', 'source c.fish; complete -C $argv[1]', line], { env, cwd: home, encoding: 'utf8' })
    expect(ask('studio item get 204')).toBe('204\tDriver is told the dock door by text message\n')
    expect(ask('studio draft list --sort=ti').trim()).toBe('--sort=title')
    expect(ask('studio draft get ')).toMatch(new RegExp(`^${draft}\\tit's`))
    expect(existsSync(join(home, 'pwned'))).toBe(false)
  })

  it.runIf(powerShell !== undefined)(
    'PowerShell quotes values, replaces the end of a list alone, and runs nothing',
    () => {
      const ask = (line: string) => {
        const script = `. ([scriptblock]::Create((Get-Content -Raw c.powershell)))
        $found = [System.Management.Automation.CommandCompletion]::CompleteInput($env:LINE, $env:LINE.Length, $null)
        $found.CompletionMatches | ForEach-Object { $_.CompletionText }`
        const args = ['-NoProfile', '-NonInteractive', '-Command', script]
        const out = execFileSync(powerShell!, args, { env: { ...env, LINE: line }, cwd: home, encoding: 'utf8' })
        return out.split(/\r?\n/).filter(Boolean)
      }
      expect(ask('studio dra')).toEqual(['draft'])
      expect(ask('studio item get 20')).toContain('204')
      expect(ask('studio draft list --sort=ti')).toEqual(['--sort=title'])
      expect(ask('studio draft list --fields id,ti').at(0)).toMatch(/title$/)
      expect(ask('studio draft get ')).toContain(String(draft))
      expect(ask('studio item list --iteration ').every((text) => !text.startsWith('@'))).toBe(true)
      expect(existsSync(join(home, 'pwned'))).toBe(false)
    },
  )

  it.runIf(has('zsh'))('zsh reads the script', () => {
    expect(spawnSync('zsh', ['-f', '-n', 'c.zsh'], { env, cwd: home }).status).toBe(0)
    const source = 'autoload -U compinit; compinit -u -d ./dump; source ./c.zsh; print -- $_comps[studio]'
    expect(execFileSync('zsh', ['-f', '-c', source], { env, cwd: home, encoding: 'utf8' })).toBe('_studio\n')
  })
})
