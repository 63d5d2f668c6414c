import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startStubModel } from '../assistant/stub-model'
import { expectOwnerOnly } from '../file-mode'
import { firstJsonLine, type Program, program } from './program'

/** Nothing listens there: no model of this machine may take part. */
const noModel = { STUDIO_LLM_HOST: 'http://127.0.0.1:9' }

async function withFeatures(...ids: number[]): Promise<Program> {
  const studio = await program()
  for (const id of ids) await studio.json(['import', String(id)])
  return studio
}

async function api(studio: Program, env: Record<string, string>) {
  const { url } = await firstJsonLine(studio.start(['serve', '--port', '0', '--json', '--quiet'], env))
  return async (method: 'GET' | 'POST', path: string, body?: unknown) => {
    const response = await fetch(url + path, {
      method,
      headers: body === undefined ? {} : { 'content-type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body),
    })
    return { status: response.status, body: (await response.json()) as any }
  }
}

async function stubSaying(text: string) {
  const stub = await startStubModel({ replies: [{ pieces: [text] }] })
  onTestFinished(() => stub.close())
  return { STUDIO_LLM_HOST: stub.url, stub }
}

describe('reports over HTTP', () => {
  it('give the hierarchy, the summary, the briefing and the priorities', async () => {
    const call = await api(await withFeatures(101, 102), noModel)

    const hierarchy = await call('GET', '/api/reporting/features-hierarchy')
    expect(hierarchy).toMatchObject({
      status: 200,
      body: { features: [{ id: 101 }, { id: 102 }], unparented: [], generatedAt: expect.stringMatching(/Z$/) },
    })
    const [first] = hierarchy.body.features
    expect(Object.keys(first)).toEqual(
      expect.arrayContaining(
        'id type title state stateCategory assignedTo points totals completion blockers children'.split(' '),
      ),
    )
    expect(Object.keys(first.totals)).toEqual(['points', 'donePoints', 'items', 'doneItems', 'unestimated', 'blockers'])
    const narrowed = await call('GET', '/api/reporting/features-hierarchy?featureId=102')
    expect(narrowed.body.features).toHaveLength(1)
    expect((await call('GET', '/api/reporting/features-hierarchy?featureId=7')).status).toBe(404)

    const summary = await call('GET', '/api/reporting/leadership-summary')
    expect(summary).toMatchObject({
      status: 200,
      body: { flow: { weeks: expect.any(Array), notes: expect.any(Array) }, rules: { atRisk: expect.any(String) } },
    })

    const briefing = await call('POST', '/api/reporting/generate-briefing', { featureIds: [102] })
    expect(briefing).toMatchObject({
      status: 200,
      body: { mode: 'deterministic', model: null, basis: { features: [{ id: 102 }] }, warnings: [] },
    })
    expect(briefing.body.notice).toContain('This is the deterministic text')
    expect((await call('POST', '/api/reporting/generate-briefing')).status).toBe(200)

    const saved = await call('POST', '/api/planner/priorities-config', { designated: [102] })
    expect(saved).toMatchObject({ status: 200, body: { designated: [102], available: [{ id: 102 }, { id: 101 }] } })
    expect((await call('GET', '/api/planner/priorities-config')).body).toEqual(saved.body)
    const { body } = await call('GET', '/api/reporting/features-hierarchy')
    expect(body.features.map(({ id }: { id: number }) => id)).toEqual([102, 101])
    expect(await call('POST', '/api/planner/priorities-config', { designated: [201] })).toMatchObject({
      status: 400,
      body: { code: 'invalid', details: [{ path: 'designated.0' }] },
    })
  })

  it('refuse an AI briefing with 503 where no model answers, and say which host was tried', async () => {
    const call = await api(await withFeatures(), noModel)
    const refused = await call('POST', '/api/reporting/generate-briefing', { mode: 'ai' })
    expect(refused).toMatchObject({ status: 503, body: { status: 'error', code: 'llm_unavailable' } })
    expect(refused.body.hint).toContain('http://127.0.0.1:9')
  })

  it('check the figures of an AI briefing', async () => {
    const { stub, ...env } = await stubSaying('Work is 99% done, 4321 points are left.')
    const call = await api(await withFeatures(101), env)
    const { status, body } = await call('POST', '/api/reporting/generate-briefing', { mode: 'ai' })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      mode: 'ai',
      model: 'stub:latest',
      markdown: 'Work is 99% done, 4321 points are left.\n',
    })
    expect(body.warnings).toEqual([expect.stringMatching(/^99% is/), expect.stringMatching(/^4321 points is/)])
    const [{ messages }] = stub.chats()
    expect(messages.at(-1).content).toContain('# Status briefing, ')
  })
})

describe('reports on the command line', () => {
  it('are written in every format', async () => {
    const studio = await withFeatures(101)
    const written = async (args: string[]) => {
      const ran = await studio.run([...args], { env: noModel })
      expect([args, ran.exitCode]).toEqual([args, 0])
      return ran.out
    }
    expect(await written(['report', 'hierarchy'])).toContain('├─ ✓ #201')
    expect(await written(['report', 'hierarchy', '--format', 'table'])).toMatch(/^ *ID {2}TITLE/)
    expect(await written(['report', 'hierarchy', '--format', 'csv'])).toMatch(/^id,parentId,.*\r\n101,/)
    expect(await written(['report', 'hierarchy', '--format', 'md'])).toContain('\n  - **#201')
    expect(await written(['report', 'hierarchy', '--format', 'html'])).toMatch(/^<!doctype html>[\s\S]*<\/html>\n$/)
    expect(await written(['report', 'summary', '--format', 'csv'])).toMatch(/^section,id,.*\r\ntotals,/)
    expect(await written(['report', 'summary', '--format', 'md'])).toMatch(/^# Leadership summary, /)
    expect(await written(['report', 'summary', '--format', 'html'])).toMatch(/^<!doctype html>[\s\S]*<\/html>\n$/)
    expect(await written(['brief', '--format', 'html'])).toMatch(/^<!doctype html>[\s\S]*<\/html>\n$/)
    expect(await written(['brief', '--format', 'txt'])).toMatch(/^Status briefing, .*\n=+\n/)
    expect(await written(['brief'])).toMatch(/^# Status briefing, /)
    expect(await written(['report', 'summary'])).toContain('Features at risk')
    expect(await written(['priorities', 'set', '101'])).toMatch(/1 {2}#101/)
    expect(await written(['priorities', 'get'])).toMatch(/1 {2}#101/)
    expect(await written(['priorities', 'set', '--none'])).toContain('No feature has a priority')
  })

  it('take the format from the name of the file, which is the owner’s alone', async () => {
    const studio = await withFeatures(101)
    const { out, err } = await studio.run(['brief', '--out', 'briefing.html'], { env: noModel })
    expect([out, err]).toEqual(['', expect.stringContaining('Written to briefing.html\n')])
    const file = join(studio.home, 'briefing.html')
    expect(await readFile(file, 'utf8')).toMatch(/^<!doctype html>/)
    expectOwnerOnly(file)
  })

  it('say on standard error which text it is, and are the same bytes again', async () => {
    const studio = await withFeatures(101)
    const [first, second] = [
      await studio.run(['brief'], { env: noModel }),
      await studio.run(['brief'], { env: noModel }),
    ]
    expect(first.err).toContain('This is the deterministic text, because no language model wrote one:')
    expect(second.out).toBe(first.out)
  })

  it('show what a model wrote with who wrote it, and what to check', async () => {
    const { stub: _, ...env } = await stubSaying('Work is 99% done.')
    const studio = await withFeatures(101)
    const { out, exitCode } = await studio.run(['brief'], { env })
    expect(exitCode).toBe(0)
    expect(out).toMatch(/^Work is 99% done\.\n\n---\n\n\*Written by the language model stub:latest/)
    expect(out).toContain('## Check before you forward this')
  })

  it.each([
    [['brief', '--mode', 'ai'], 7, 'llm_unavailable'],
    [['brief', '--feature', '7'], 3, 'not_found'],
    [['brief', '--format', 'pdf'], 2, 'invalid'],
    [['report', 'hierarchy', '--feature', 'x'], 2, 'invalid'],
    [['priorities', 'set'], 2, 'invalid'],
    [['priorities', 'set', '7'], 2, 'invalid'],
    [['priorities', 'set', '7', '--none'], 2, 'invalid'],
  ])('%j: exit %i %s', async (args, exitCode, code) => {
    const ran = await (await program()).run([...args, '--json'], { env: noModel })
    expect(ran.exitCode).toBe(exitCode)
    expect(JSON.parse(ran.err)).toMatchObject({ status: 'error', code, hint: expect.any(String) })
  })
})
