import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { DockerfileParser } from 'dockerfile-ast'
import { validate } from 'dockerfile-utils'
import { describe, expect, it, onTestFinished } from 'vitest'
import { parse } from 'yaml'
import { environmentVariables } from '../../src/config/services/environment-variables'

const run = promisify(execFile)
const folder = join(import.meta.dirname, '../../docs/containers')
const recipe = readFileSync(join(folder, 'Dockerfile'), 'utf8')
const compose = parse(readFileSync(join(folder, 'compose.yaml'), 'utf8'))
const known = (name: string) => environmentVariables.some((variable) => variable.name === name)

describe('the container recipe', () => {
  const instructions = DockerfileParser.parse(recipe).getInstructions()
  const argumentsOf = (keyword: string) =>
    instructions.filter((each) => each.getKeyword() === keyword).map((each) => each.getArgumentsContent() ?? '')

  it('has no finding of a linter', () => {
    expect(validate(recipe).map(({ message }) => message)).toEqual([])
  })

  it('does not run as root, and names its base with a version', () => {
    expect(argumentsOf('USER')).toEqual(['node'])
    for (const base of argumentsOf('FROM')) expect(base).toMatch(/^node:\d+-slim( AS build)?$/)
  })

  it('contains what the program needs, and sets variables that exist', () => {
    const copied = argumentsOf('COPY').flatMap((text) => /^\/app\/(\S+)/.exec(text)?.[1] ?? [])
    expect(copied).toEqual(['package.json', 'bin', 'dist'])
    const set = argumentsOf('ENV').flatMap((text) => text.split(' ').map((pair) => pair.split('=')[0]!))
    expect(set.filter((name) => !known(name))).toEqual([])
  })

  it('checks whether the service answers', async () => {
    let status = 200
    const server = createServer((_, response) => response.writeHead(status).end()).listen(0, '127.0.0.1')
    onTestFinished(() => void server.close())
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as AddressInfo
    const [, script] = /^CMD \["node", "-e", "(.*)"\]$/.exec(argumentsOf('HEALTHCHECK')[0]!)!
    const check = () => run('node', ['-e', script!.replace('4317', String(port))])
    await check()
    status = 503
    await expect(check()).rejects.toMatchObject({ code: 1 })
  })
})

describe('the compose file', () => {
  it('builds from the recipe', () => {
    const { context, dockerfile } = compose.services.studio.build
    expect(existsSync(resolve(folder, context, dockerfile))).toBe(true)
    expect(dirname(resolve(folder, context, dockerfile))).toBe(resolve(folder))
  })

  it('sets variables that exist, and contains no password', () => {
    const names = Object.keys(compose.services.studio.environment).filter((name) => name.startsWith('STUDIO_'))
    expect(names.filter((name) => !known(name))).toEqual([])
    for (const { environment } of Object.values<any>(compose.services))
      for (const [name, value] of Object.entries(environment))
        if (/PASSWORD/.test(name)) expect(value).toMatch(/^\$\{\w+:\?/)
  })

  it('is started after a credential was created, as the guide says', () => {
    const guide = readFileSync(join(folder, '../how-to/run-the-service.md'), 'utf8')
    const commands = guide.match(/^docker compose .*/gm)!.map((line) => line.replace(/--file \S+ /, ''))
    expect(commands).toEqual([
      expect.stringMatching(/^docker compose run --build --rm studio node bin\/studio.js token create /),
      'docker compose up --detach',
    ])
  })

  it('keeps all data in volumes that it declares, and waits for a healthy database', () => {
    const used = Object.values<any>(compose.services).flatMap(({ volumes }) =>
      volumes.map((v: string) => v.split(':')[0]),
    )
    expect(used.sort()).toEqual(Object.keys(compose.volumes).sort())
    expect(compose.services.studio.depends_on.db.condition).toBe('service_healthy')
    // While the image creates the database, its server listens on a socket only.
    expect(compose.services.db.healthcheck.test).toEqual(['CMD-SHELL', expect.stringContaining('--host 127.0.0.1')])
    expect(compose.services.db.image).toMatch(/:\d+$/)
  })
})
