import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { loadSettings } from '../../src/config'
import { discoveryDocuments } from '../../src/http/discovery/documents'
import { factsHere } from '../../src/http/discovery/facts-here'
import { firstJsonLine, openOnce, type Program, program } from './program'

const shell = promisify(execFile)
const { version } = JSON.parse(readFileSync('package.json', 'utf8'))

async function served(studio: Program, ...flags: string[]): Promise<string> {
  return (await firstJsonLine(studio.start(['serve', '--port', '0', '--json', '--quiet', ...flags]))).url
}

/** A service with its defaults. */
const shared = openOnce(async (atEnd) => {
  const studio = await program(atEnd)
  return { studio, url: await served(studio) }
})

const json = async (url: string): Promise<any> => (await fetch(url)).json()

describe('the handshake of a running service', () => {
  it('has links that resolve, each to what it says', async () => {
    const { url } = shared()
    const { links } = await json(`${url}/api/agent`)
    const types: Record<string, string> = {
      llms_txt: 'text/markdown',
      llms_full_txt: 'text/markdown',
      openapi_json: 'application/json',
      openapi_yaml: 'application/yaml',
      docs: 'text/html',
      agent_json: 'application/json',
      prompt_context: 'text/plain',
      api_catalog: 'application/linkset+json',
    }
    for (const [name, type] of Object.entries(types)) {
      const answer = await fetch(links[name])
      expect(`${name} ${answer.status} ${answer.headers.get('content-type')}`).toContain(`${name} 200 ${type}`)
      expect((await answer.text()).length).toBeGreaterThan(100)
      expect((await fetch(links[name], { method: 'HEAD' })).status).toBe(200)
      expect((await fetch(links[name], { method: 'DELETE' })).status).toBe(405)
    }
    expect((await fetch(links.mcp)).status).toBe(405)
  })

  it.each([[[]], [['--auth', 'always']]])(
    'has documents from the build that are as the sources write them: %j',
    async (flags) => {
      const url = flags.length === 0 ? shared().url : await served(await program(), ...flags)
      const here = await factsHere(loadSettings({ env: {}, cwd: '/' }), version)
      for (const path of ['/openapi.json', '/openapi.yaml', '/llms-full.txt']) {
        const { write } = discoveryDocuments.find((document) => document.path === path)!
        const written = await write({ ...here, baseUrl: url, isOpen: flags.length === 0 })
        // An equality of such texts would print them.
        expect([path, (await (await fetch(`${url}${path}`)).text()) === written]).toEqual([path, true])
      }
    },
  )

  // They are lines of sh.
  it.skipIf(process.platform === 'win32')('has first calls that run', async () => {
    const { url } = shared()
    const { quickstart } = await json(`${url}/api/agent`)
    expect(Object.keys(quickstart)).toEqual(
      expect.arrayContaining(['handshake', 'devops_items', 'fast_search', 'story_drafts', 'helper_workspace']),
    )
    for (const [name, line] of Object.entries<string>(quickstart)) {
      const { stdout } = await shell('bash', ['-c', line.replace('curl -s', 'curl -s --fail-with-body')])
      expect(() => JSON.parse(stdout), name).not.toThrow()
    }
  })

  it('is public, and says who needs a credential', async () => {
    const url = await served(await program(), '--auth', 'always')
    const { links, quickstart, antigravity_guide } = await json(`${url}/api/agent`)
    expect(antigravity_guide.direct_api_ready).toBe(false)
    expect(quickstart.story_drafts).toContain('Authorization: Bearer')
    const { mcp, ...documents } = links as Record<string, string>
    for (const link of Object.values(documents))
      expect((await fetch(link)).status, link).toBe(link.endsWith('/.well-known/api-catalog') ? 401 : 200)
    expect((await fetch(mcp!, { method: 'POST' })).status).toBe(401)
    expect((await fetch(links.docs, { headers: { authorization: 'Bearer nonsense' } })).status).toBe(401)
  })

  it('is what studio agent prints, but for the address; so with the API’s description', async () => {
    const { studio, url } = shared()
    const at = (text: string) => text.replaceAll(url, 'http://127.0.0.1:4317')
    const [agent, openapi, yaml] = await Promise.all([
      studio.run(['agent']),
      studio.run(['openapi']),
      studio.run(['openapi', '--yaml']),
    ])
    expect(JSON.parse(agent.out)).toEqual(JSON.parse(at(await (await fetch(`${url}/api/agent`)).text())))
    const described = await json(`${url}/openapi.json`)
    expect(JSON.parse(openapi.out)).toEqual(described)
    expect(parse(yaml.out)).toEqual(described)
    expect(described).toMatchObject({ openapi: '3.1.0', info: { version: '1.0.0' } })
  })
})

describe('the page of the API', () => {
  it('loads only from this service, and runs nothing inline', async () => {
    const { url } = shared()
    const page = await fetch(`${url}/docs`)
    const policy = page.headers.get('content-security-policy')!
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("script-src 'self';")
    expect(policy).not.toMatch(/unsafe|\*|https?:/)
    const html = await page.text()
    expect(html).not.toMatch(/<script>|<style>|\son\w+=|\sstyle=|https?:\/\//)
    const loaded = [...html.matchAll(/(?:src|href)="(docs\/[^"]+)"/g)].map((match) => match[1]!)
    expect(loaded).toHaveLength(4)
    for (const path of loaded) {
      const asset = await fetch(`${url}/${path}`)
      expect(asset.status, path).toBe(200)
      expect(asset.headers.get('content-type')).toMatch(path.endsWith('.css') ? /^text\/css/ : /^text\/javascript/)
    }
    expect(await (await fetch(`${url}/docs/start.js`)).text()).toContain('validatorUrl: null')
  })
})

describe('studio agent --skill', () => {
  it('prints a skill file of this version with every command', async () => {
    const studio = await program()
    const [{ out }, version, help] = await Promise.all([
      studio.run(['agent', '--skill']),
      studio.run(['--version']),
      studio.run(['--help']),
    ])
    const [, front, body] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(out)!
    const { name, description, metadata } = parse(front!)
    expect(name).toMatch(/^[a-z0-9-]{1,64}$/)
    expect(description.length).toBeGreaterThan(100)
    expect(description.length).toBeLessThanOrEqual(1024)
    expect(metadata.version).toBe(version.out.trim())
    for (const command of ['import', 'search', 'batch-update', 'item get', 'draft save', 'mcp', 'token create'])
      expect(body).toContain(`- \`studio ${command}\`: `)
    expect(help.out).toContain('mcp')
  })
})
