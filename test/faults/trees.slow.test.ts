import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { type Program, program } from '../contract/program'
import { startTestSandbox } from '../sandbox/test-sandbox'
import { isLong, momentsUpTo } from './moments'

/** 10 features with 9 stories each, which have 10 tasks each. */
const FEATURES = 10
const STORIES = 9
const TASKS = 10
const SIZE = FEATURES * (1 + STORIES * (1 + TASKS))
/** Each item takes about as many: it is sent, its marker is removed, and its parent is read. */
const REQUESTS_PER_ITEM = 3

/** The titles of the items, which name their parents: `Zebra 3.2.1` is below `Zebra 3.2`. */
function listTitles(): string[] {
  const titles: string[] = []
  for (let feature = 1; feature <= FEATURES; feature++) {
    titles.push(`Zebra ${feature}`)
    for (let story = 1; story <= STORIES; story++) {
      titles.push(`Zebra ${feature}.${story}`)
      for (let task = 1; task <= TASKS; task++) titles.push(`Zebra ${feature}.${story}.${task}`)
    }
  }
  return titles
}

const TITLES = listTitles()
const TEXT = TITLES.map((title) => {
  const depth = title.split('.').length
  return depth === 3 ? `- [ ] ${title}\n` : `\n${'#'.repeat(depth)} ${title}\n\nAbout ${title}.\n\n`
}).join('')

/** The claim of a killed process ends after some minutes, which pass between two runs. */
function passMinutes(minutes: number): Record<string, string> {
  const script = `const now=Date.now;Date.now=()=>now()+${minutes * 60_000}`
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(script)}` }
}

interface Created {
  title: string
  parent: string | null
  links: number
}

/** The items of the tree as the tracker has them. */
async function readCreated(url: string): Promise<Created[]> {
  const send = async (path: string, body: object) => {
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(`${url}${path}?api-version=7.1`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    })
    return (await response.json()) as any
  }
  const query = "SELECT [System.Id] FROM WorkItems WHERE [System.Title] CONTAINS 'Zebra'"
  const ids: number[] = (await send('/Harbor/_apis/wit/wiql', { query })).workItems.map(({ id }: any) => id)
  const items: any[] = []
  for (let start = 0; start < ids.length; start += 200)
    items.push(
      ...(await send('/_apis/wit/workitemsbatch', { ids: ids.slice(start, start + 200), $expand: 'relations' })).value,
    )
  const titles = new Map<number, string>(items.map(({ id, fields }) => [id, fields['System.Title']]))
  return items.map(({ fields, relations = [] }) => ({
    title: fields['System.Title'],
    parent: titles.get(fields['System.Parent']) ?? null,
    links: relations.filter(({ rel }: any) => rel === 'Hyperlink').length,
  }))
}

function parentOf(title: string): string | null {
  const dot = title.lastIndexOf('.')
  return dot < 0 ? null : title.slice(0, dot)
}

it(`publishes a tree of ${SIZE} items once, however often the process is killed`, async () => {
  const moments = momentsUpTo(SIZE * REQUESTS_PER_ITEM, isLong ? 40 : 8)
  let count = 0
  let running: ReturnType<Program['start']> | null = null
  const sandbox = await startTestSandbox({
    faults: () => {
      count += 1
      // The request is executed or not, as the process that sent it will never learn.
      if (count > (moments[0] ?? Number.POSITIVE_INFINITY) && running?.kill('SIGKILL')) moments.shift()
      return null
    },
  })
  onTestFinished(() => sandbox.close())
  const studio = await program()
  await writeFile(join(studio.home, 'zebra.md'), TEXT)
  const tracker = { STUDIO_TRACKER_URL: sandbox.url, STUDIO_TRACKER_PROJECT: sandbox.project }
  let minutes = 0
  const publish = () => ['draft', 'publish-tree', 'zebra.md', '--yes', '--json']
  const kills = moments.length
  let killed = 0
  while (moments.length > 0) {
    running = studio.start(publish(), { ...tracker, ...passMinutes(minutes) })
    const { signal, exitCode, stderr } = (await running) as { signal?: string; exitCode?: number; stderr?: unknown }
    if (signal === 'SIGKILL') killed += 1
    // It was done before the last moments.
    else if (exitCode === 0) break
    else expect(`exit ${exitCode}: ${stderr}`).toMatch(/^exit 8:/)
    minutes += 4
  }
  running = null
  expect(killed).toBeGreaterThan(kills / 2)
  await studio.json(publish().slice(0, -1), { env: { ...tracker, ...passMinutes(minutes) } })
  const last = await studio.json(publish().slice(0, -1), { env: { ...tracker, ...passMinutes(minutes + 4) } })
  expect(last).toMatchObject({ created: 0, updated: 0, unchanged: SIZE, failed: 0, notAttempted: 0 })
  const created = await readCreated(sandbox.url)
  expect(created.map(({ title }) => title).sort()).toEqual([...TITLES].sort())
  expect(created.filter(({ title, parent }) => parent !== parentOf(title))).toEqual([])
  // No marker is left.
  expect(created.filter(({ links }) => links > 0)).toEqual([])
})
