import { execFileSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { openDatabase, tables } from '../../src/storage'
import { migrations } from '../../src/studio'
import { firstJsonLine, program } from '../contract/program'
import { files, toBase64 } from '../docks/attachments/attachment-files'
import { isLong, momentsUpTo } from './moments'

const photo = (bytes: number) => toBase64(Buffer.concat([files.jpeg, randomBytes(bytes)]))

async function site() {
  const studio = await program()
  await studio.json(
    ['facility', 'create', '--code', 'DC1', '--name', 'North', '--time-zone', 'Etc/UTC', '--door', 'A'].concat([
      '--queue',
      'daily 00:00-24:00',
    ]),
  )
  const { key } = await studio.json(['tenant', 'key', 'create'])
  const book = async (reference: string): Promise<string> => {
    const load = ['--facility', 'DC1', '--type', 'pickup', '--carrier', 'Acme', '--date', '2055-03-01']
    return (await studio.json(['book', ...load, '--reference', reference])).data.id
  }
  const start = async () => {
    const running = studio.start(['serve', '--port', '0', '--json', '--log', 'off'])
    const { url } = await firstJsonLine(running)
    const send = (method: string, path: string, body?: object) =>
      fetch(`${url}${path}`, {
        method,
        headers: { 'content-type': 'application/json', 'x-api-key': key },
        ...(body && { body: JSON.stringify(body) }),
      })
    const attach = async (id: string, content: string) => {
      const response = await send('POST', `/api/appointments/${id}/attachments`, { content })
      return { status: response.status, body: (await response.json()) as any }
    }
    const list = async (id: string) => (await send('GET', `/api/appointments/${id}/attachments`)).json() as any
    const readHash = async (id: string) => {
      const bytes = Buffer.from(await (await send('GET', `/api/attachments/${id}`)).arrayBuffer())
      return createHash('sha256').update(bytes).digest('hex')
    }
    return { running, attach, list, readHash }
  }
  return { studio, book, start }
}

it('a service that is killed while files are attached has each of them whole, or not at all', async () => {
  const { studio, book, start } = await site()
  const acknowledged: string[] = []
  const ids: string[] = []
  for (const moment of momentsUpTo(600, isLong ? 40 : 5)) {
    const id = await book(`PO-${ids.length}`)
    ids.push(id)
    const { running, attach } = await start()
    const sending = Array.from({ length: 6 }, () => attach(id, photo(2_000_000)).catch(() => null))
    await sleep(moment)
    running.kill('SIGKILL')
    await running
    for (const answer of await Promise.all(sending)) if (answer?.status === 200) acknowledged.push(answer.body.data.id)
  }
  const { list, readHash, running } = await start()
  const found = (await Promise.all(ids.map(list))).flat()
  for (const { id, sha256 } of found) expect(await readHash(id)).toBe(sha256)
  expect(acknowledged.filter((id) => !found.some((one) => one.id === id))).toEqual([])
  running.kill('SIGTERM')
  await running
  const db = await openDatabase(join(studio.home, 'studio.db'), migrations)
  const parts = await db.read((tx) => tables<any>(tx).selectFrom('attachment_part').select('attachment_id').execute())
  await db.close()
  expect([...new Set(parts.map((row) => row['attachment_id']))].sort()).toEqual(found.map(({ id }) => id).sort())
})

it('ten files are attached, however many processes attach at the same time', async () => {
  const { book, start } = await site()
  const id = await book('PO-1')
  const services = await Promise.all([start(), start()])
  const answers = await Promise.all(
    services.flatMap(({ attach }) => Array.from({ length: 8 }, () => attach(id, photo(100_000)))),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([...Array(10).fill(200), ...Array(6).fill(409)])
  expect(await services[0]!.list(id)).toHaveLength(10)
})

it.runIf(process.platform === 'linux')(
  'a full disk refuses a file whole, and those that exist can be read',
  async () => {
    const { book, start } = await site()
    const id = await book('PO-1')
    const { running, attach, list, readHash } = await start()
    const { body } = await attach(id, photo(1_000_000))
    const limitFiles = (bytes: number | 'unlimited') =>
      execFileSync('prlimit', ['--pid', String(running.pid), `--fsize=${bytes}:`])
    // In the middle of the next file.
    limitFiles(2_500_000)
    expect(await attach(id, photo(4_000_000))).toMatchObject({ status: 503, body: { code: 'disk_full' } })
    expect(await list(id)).toEqual([body.data])
    expect(await readHash(body.data.id)).toBe(body.data.sha256)
    limitFiles('unlimited')
    await expect.poll(async () => (await attach(id, photo(4_000_000))).status, { interval: 200 }).toBe(200)
    expect(await list(id)).toHaveLength(2)
  },
)
