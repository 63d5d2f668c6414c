import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { execa } from 'execa'
import { describe, expect, it, onTestFinished } from 'vitest'
import { freePort } from '../free-port'

const pages = ['README.md', 'AGENTS.md', ...markdownFiles('docs')]
const scripts = pages.map((page) => [page, scriptOf(page)] as const).filter(([, script]) => script !== '')

function markdownFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name))
}

/** The shell commands of a tutorial or a how-to guide, in their order, as one script. A guide's reader has data already. */
function scriptOf(page: string): string {
  if (!/^docs\/(tutorials|how-to)\//.test(page)) return ''
  const setUp = page.startsWith('docs/how-to/') ? ['studio import 101 --quiet'] : []
  const blocks = [...readFileSync(page, 'utf8').matchAll(/^```sh\n(.*?)^```$/gms)]
  return blocks.length === 0 ? '' : [...setUp, ...blocks.map((block) => block[1])].join('\n')
}

/** The anchors of a page, as GitHub derives them from headings. */
function anchorsOf(page: string): Set<string> {
  const headings = readFileSync(page, 'utf8').matchAll(/^#+ (.*)$/gm)
  return new Set(
    [...headings].map(([, heading]) =>
      heading!
        .toLowerCase()
        .replace(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  )
}

/** An empty folder, with `studio` on the path. */
async function emptyFolder(): Promise<{ home: string; path: string }> {
  const home = await mkdtemp(join(tmpdir(), 'studio-docs-'))
  onTestFinished(() => rm(home, { recursive: true, force: true }))
  const studio = join(home, 'studio')
  await writeFile(studio, `#!/bin/sh\nexec "${process.execPath}" "${resolve('bin/studio.js')}" "$@"\n`)
  await chmod(studio, 0o755)
  return { home, path: `${home}:${process.env['PATH']}` }
}

describe('the documentation', () => {
  it.each(pages)('%s links only to pages and headings that exist', (page) => {
    // An image in an example is beside the text that it is an example of.
    const text = readFileSync(page, 'utf8').replace(/^```[\s\S]*?^```/gm, '')
    const broken = [...text.matchAll(/\]\(([^)\s]+)\)/g)]
      .map((match) => match[1]!)
      .filter((link) => !/^[a-z]+:/.test(link))
      .filter((link) => {
        const [path, anchor] = link.split('#') as [string, string?]
        const target = path === '' ? page : join(dirname(page), path)
        return !existsSync(target) || (anchor !== undefined && !anchorsOf(target).has(anchor))
      })
    expect(broken).toEqual([])
  })

  it('is complete in the list of the README', () => {
    const readme = readFileSync('README.md', 'utf8')
    expect(
      pages
        .filter((page) => /^docs\/(tutorials|how-to|reference|explanation)\//.test(page))
        .filter((page) => !readme.includes(`(${page})`)),
    ).toEqual([])
  })
})

describe('the commands of', () => {
  it.each(scripts)('%s work, one after another', async (_page, script) => {
    const { home, path } = await emptyFolder()
    // The dates will be over one day; 28 years later they are on the same weekdays.
    const commands = script.replaceAll('4519', String(await freePort())).replaceAll('2031-', '2059-')
    const { exitCode, all } = await execa('bash', ['-euo', 'pipefail', '-c', `set -x\n${commands}`], {
      cwd: home,
      env: { PATH: path, STUDIO_HOME: join(home, 'home'), HOME: home, STUDIO_LLM_HOST: 'http://127.0.0.1:9' },
      extendEnv: false,
      reject: false,
      all: true,
    })
    expect(exitCode === 0 ? '' : all).toBe('')
  })
})
