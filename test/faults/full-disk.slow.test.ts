import { execFileSync } from 'node:child_process'
import { resolve } from 'node:path'
import { execa } from 'execa'
import { describe, expect, it, onTestFinished } from 'vitest'
import { firstJsonLine, program } from '../contract/program'

const bin = resolve('bin/studio.js')

/** A service, and what sets how large a file it may write. */
async function serve() {
  const studio = await program()
  await studio.json(['draft', 'save', '--title', 'First'])
  const running = execa(process.execPath, [bin, 'serve', '--port', '0', '--json', '--log', 'off'], {
    cwd: studio.home,
    extendEnv: false,
    env: { PATH: process.env['PATH'] ?? '', STUDIO_HOME: studio.home },
    stdin: 'ignore',
    reject: false,
  })
  onTestFinished(async () => {
    running.kill('SIGTERM')
    await running
  })
  const { url } = await firstJsonLine(running)
  const call = async (path: string, body?: object) => {
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
    const answer = await fetch(url + path, body && init)
    return { status: answer.status, retryAfter: answer.headers.get('retry-after'), body: await answer.json() }
  }
  const limitFiles = (bytes: number | 'unlimited') =>
    execFileSync('prlimit', ['--pid', String(running.pid), `--fsize=${bytes}:`])
  return { call, limitFiles, running }
}

describe.runIf(process.platform === 'linux')('a service whose disk is full', () => {
  it('refuses writes, says that it is not ready, and is ready when there is space again', async () => {
    const { call, limitFiles, running } = await serve()
    expect((await call('/api/ready')).status).toBe(200)
    // Node ignores the signal: a write beyond the limit fails, as on a full disk.
    limitFiles(1)
    expect(await call('/api/stories/save-draft', { title: 'Second' })).toMatchObject({
      status: 503,
      retryAfter: '5',
      body: { code: 'disk_full' },
    })
    await expect
      .poll(() => call('/api/ready'), { interval: 200 })
      .toMatchObject({
        status: 503,
        body: { message: expect.stringMatching(/^The service is not ready\. Nothing can be written\. /) },
      })
    expect((await call('/api/stories/saved')).body).toHaveLength(1)
    limitFiles('unlimited')
    await expect
      .poll(() => call('/api/ready'), { interval: 200 })
      .toMatchObject({ status: 200, body: { database: { status: 'ok' } } })
    expect((await call('/api/stories/save-draft', { title: 'Second' })).status).toBe(200)
    expect(running.exitCode).toBeNull()
  })
})
