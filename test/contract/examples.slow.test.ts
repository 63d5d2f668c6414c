import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { standaloneCommands } from '../../commands/start/standalone-commands'
import { loadAllOperations } from '../../src/catalog'
import { type StubModel, startStubModel } from '../assistant/stub-model'
import { files } from '../docks/attachments/attachment-files'
import { type Program, programIn } from './program'

/** They need a database server, a tracker, a mail server and an endpoint: tests of their own run them. */
const NEEDS_MORE = [
  ...['appointments.partition', 'tracker.hooks', 'mail-templates.test', 'facilities.test-check'],
  ...['items.worklogs', 'items.log-work'],
]
const examples = (await loadAllOperations()).flatMap((op) =>
  (op.cli?.examples ?? []).map((line) => ({ id: op.id, line })),
)
const runnable = examples.filter(({ id }) => !NEEDS_MORE.includes(id))
const PLACEHOLDERS = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g

let home: string
let studio: Program
let model: StubModel
const receiver = createServer((_, response) => response.end())
let receiverUrl: string
let booked = 0

beforeAll(async () => {
  await once(receiver.listen(0, '127.0.0.1'), 'listening')
  receiverUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
  home = await mkdtemp(join(tmpdir(), 'studio-examples-'))
  await mkdir(join(home, 'path'))
  await symlink(resolve('bin/studio.js'), join(home, 'path', 'studio'))
  studio = programIn(home)
  model = await startStubModel({ replies: (body) => ({ pieces: [inTheFormAskedFor(body.format)] }) })
  await studio.json(['import', '101'])
  await studio.json(['copy-sanitize', '204'])
  await writeFile(join(home, 'items.json'), JSON.stringify(await studio.json(['item', 'list'])))
  const queue = { name: 'Day', days: ['mon', 'tue', 'wed', 'thu', 'fri'], start: '06:00', end: '18:00' }
  const record = { name: 'South', timeZone: 'America/Chicago', queues: [queue], doors: [{ name: 'Door 1' }] }
  const bookings = 'type,carrier,reference,date\npickup,Acme,IMP-1,2055-04-06\ndelivery,Acme,IMP-2,2055-04-06\n'
  await writeFile(join(home, 'bookings.csv'), bookings)
  await writeFile(join(home, 'yard.csv'), 'number,carrier\nIMP-1,Acme\n')
  const archive =
    '{"studioArchive":1,"before":"2025-01-01","createdAt":"2026-01-01T00:00:00.000Z"}\n{"appointments":0}\n'
  await writeFile(join(home, 'shot.png'), files.png)
  await writeFile(join(home, 'notes.txt'), 'Notes')
  await writeFile(join(home, 'story.md'), '# Print a pass\n\nAs a guard.\n\n- [ ] Choose a printer\n')
  await writeFile(join(home, 'bol.pdf'), files.pdf)
  await writeFile(join(home, 'seal.jpg'), files.jpeg)
  await writeFile(join(home, '2024.ndjson.gz'), gzipSync(archive))
  await writeFile(join(home, 'facility.json'), JSON.stringify({ code: 'DC2', ...record }))
  await studio.json(['facility', 'create', '--file', '-', '--code', 'DC1'], {
    input: JSON.stringify({ code: 'DC0', ...record }),
  })
  await studio.json(['yard', 'add-spots', 'DC1', 'Y2', 'Y4', 'Y12'])
  await studio.json(['yard', 'arrive', 'TR-1042', '--facility', 'DC1', '--carrier', 'Any'])
  const load = ['--type', 'delivery', '--carrier', 'Any', '--reference', 'PO-3001', '--date', '2055-04-07']
  await studio.json(['book', '--facility', 'DC1', ...load])
})
afterAll(async () => {
  receiver.close()
  await model.close()
  await rm(home, { recursive: true, force: true })
})

/** What a model would answer: words, or JSON where a form is asked for. */
function inTheFormAskedFor(form?: { properties: Record<string, unknown> }): string {
  if (!form) return 'Short stories.'
  const criterion = { scenario: 'On time', given: [], when: ['the truck checks in'], outcome: ['the door is told'] }
  const story = { title: 'Tell the door', description: 'As a driver…' }
  return JSON.stringify('criteria' in form.properties ? { criteria: [criterion] } : story)
}

/** The dates of the examples will be over one day; 28 years later they are on the same weekdays. */
function farFromNow(line: string): string {
  return line.replaceAll('2027-', '2055-')
}

/** A truck that comes that much too early needs a confirmation. */
function confirmEarly(operationId: string, line: string): string {
  return ['appointments.check-in', 'appointments.step'].includes(operationId) ? `${line} --early` : line
}

/** A real ID in place of the one that an example shows. */
async function idFor(operationId: string): Promise<string> {
  if (operationId.startsWith('webhooks.')) {
    const { id } = await studio.json(['webhook', 'add', receiverUrl], { env: { STUDIO_WEBHOOK_NETWORKS: '127.0.0.1' } })
    return id
  }
  if (operationId === 'facilities.revoke-gate-link') return (await studio.json(['facility', 'gate-link', 'DC1'])).id
  if (operationId === 'carriers.revoke-invitation') return (await studio.json(['carrier', 'invite', 'Any'])).id
  if (operationId.startsWith('yard.'))
    return (await studio.json(['yard', 'arrive', `EX-${booked++}`, '--facility', 'DC1', '--carrier', 'Any'])).data.id
  if (operationId.startsWith('tokens.')) return (await studio.json(['token', 'create', '--name', 'any'])).id
  if (operationId.startsWith('sessions.')) return (await studio.json(['session', 'link'])).id
  if (operationId.startsWith('tenants.')) {
    await studio.run(['tenant', 'create', 'keyed'])
    return (await studio.json(['tenant', 'key', 'create', '--tenant', 'keyed'])).id
  }
  const args = ['--facility', 'DC1', '--type', 'pickup', '--carrier', 'Any', '--date', '2055-04-05']
  if (operationId.startsWith('holds.'))
    return (await studio.json(['hold', 'create', ...args, '--door', 'Door 1'])).data.id
  if (operationId.startsWith('waitlist.')) {
    const free = [...args.slice(0, -1), '2055-06-08', '--reference', `EX-${booked++}`]
    return (await studio.json(['waitlist', 'add', ...free])).data.id
  }
  if (operationId.startsWith('series.')) {
    const rule = ['--reference', `SE-${booked++}`, '--days', 'tue', '--at', '09:00', '--from', '2055-03-01']
    return (await studio.json(['series', 'create', ...args.slice(0, -2), ...rule])).data.id
  }
  const { id } = (await studio.json(['book', ...args, '--reference', `EX-${booked++}`])).data
  if (['attachments.get', 'attachments.remove'].includes(operationId))
    return (await studio.json(['appointment', 'attach', id, '--file', join(home, 'bol.pdf')])).data.id
  if (operationId === 'appointments.undo-step') await studio.json(['appointment', 'check-in', id, '--early'])
  return id
}

/** Runs a line in a shell, in which `studio` is the built program. */
function inShell(line: string, tenant: string): Promise<{ exitCode: number; err: string }> {
  const path = [join(home, 'path'), process.env['PATH']].join(delimiter)
  const env = {
    PATH: path,
    STUDIO_HOME: home,
    STUDIO_TENANT: tenant,
    STUDIO_LLM_HOST: model.url,
    STUDIO_WEBHOOK_NETWORKS: '127.0.0.1',
    STUDIO_SMTP_URL: 'smtp://127.0.0.1:9',
    STUDIO_SMTP_FROM: 'docks@example.com',
    STUDIO_PUBLIC_URL: 'https://docks.example.com',
  }
  return new Promise((done) => {
    execFile('bash', ['-c', line], { cwd: home, env }, (error, _out, err) =>
      done({ exitCode: Number(error?.code ?? 0), err }),
    )
  })
}

describe('the examples in the help', () => {
  it.each(runnable)('$line', async ({ id, line }) => {
    let real = line
    for (const [placeholder] of line.matchAll(PLACEHOLDERS)) real = real.replace(placeholder, await idFor(id))
    // A facility is made in a tenant of its own: the code of the example is taken in the one of the others.
    if (id === 'facilities.create') await studio.run(['tenant', 'create', 'builder'])
    const { exitCode, err } = await inShell(
      confirmEarly(id, farFromNow(real)),
      id === 'facilities.create' ? 'builder' : 'default',
    )
    expect(err).not.toMatch(/error:/)
    expect(exitCode).toBe(0)
  })

  it('are there for every command', async () => {
    const ops = await loadAllOperations()
    const commands = new Set(ops.flatMap((op) => (op.cli ? [op.cli.command] : [])))
    for (const command of commands) expect(examples.some(({ line }) => line.includes(`studio ${command}`))).toBe(true)
  })

  it('name related commands that exist', async () => {
    const ops = await loadAllOperations()
    const commands = new Set([
      ...ops.flatMap((op) => (op.cli ? [op.cli.command] : [])),
      ...Object.keys(standaloneCommands),
    ])
    for (const op of ops) for (const related of op.cli?.seeAlso ?? []) expect(commands).toContain(related)
  })
})
