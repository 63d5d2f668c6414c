import { loadOperation } from '../../catalog'
import { readBoardVersion } from '../../docks'
import type { AppOptions } from '../../http/app-options'
import { type Actor, authorize, execute } from '../../kernel'
import { ChangeWatcher } from '../../kernel/work/change-watcher'
import type { ConsoleCall, ConsoleHandler } from '../console-call'
import { type Board, renderParts, shapeOf, versionOf } from './board-view'

const CHECK_MS = 400
/** Holds expire and days end without a change of the database. */
const LOOK_ANYWAY_MS = 20_000
const PING_MS = 15_000
/** Updates that a slow browser has not taken yet. It is cut off, and comes back by itself. */
const MAX_WAITING = 50

interface Shown {
  shape: string
  version: string
  parts: Map<string, string>
}

interface Viewer {
  version: string
  send(text: string): void
}

/** A board that browsers show: loaded and drawn once for all of them. */
interface Topic {
  key: string
  load(): Promise<Board>
  viewers: Set<Viewer>
  shown: Shown | null
  /** Ends the looks for changes; null while no browser shows it. */
  stopWatching: (() => void) | null
  /** Tells cheaply whether the board has changed. */
  readVersion(): Promise<string>
  boardVersion: string | null
  loadedAt: number
}

/** Sends browsers the parts of a board that have changed, within a second of the change. */
export class LiveBoards {
  readonly #topics = new Map<string, Topic>()
  readonly #watcher: ChangeWatcher

  constructor(private readonly options: AppOptions) {
    const version = () => options.cache.currentVersion()
    this.#watcher = new ChangeWatcher({ version }, { everyMs: CHECK_MS, anywayMs: LOOK_ANYWAY_MS })
  }

  readonly handler: ConsoleHandler = async (call) => {
    const { c } = call
    const { caller } = this.options
    const actor = caller.actorFor(c.env.call, { docks: 'viewer' })
    authorize({ access: { docks: 'viewer' }, effect: 'read' }, actor)
    const id = c.req.param('code')!
    const { date, version = '' } = c.req.query()
    const topic = this.#topicFor(actor, { id, ...(date ? { date } : {}) })
    // An error, such as an unknown facility, is answered before the stream begins.
    if (topic.shown === null) {
      await this.#look(topic).catch((error) => {
        if (topic.viewers.size === 0) this.#topics.delete(topic.key)
        throw error
      })
    }
    return this.#open(call, topic, c.req.header('last-event-id') ?? version)
  }

  #topicFor(actor: Actor, input: { id: string; date?: string }): Topic {
    const key = JSON.stringify([actor.kind === 'dock' ? actor.tenantId : null, input.id, input.date])
    let topic = this.#topics.get(key)
    if (!topic) {
      const { studio } = this.options
      const load = async () =>
        (await execute(await loadOperation('facilities.board'), input, studio.context({ actor }))) as Board
      const readVersion = () => readBoardVersion(studio.context({ actor }), input)
      const unknown = { shown: null, stopWatching: null, boardVersion: null, loadedAt: 0 }
      topic = { key, load, readVersion, viewers: new Set(), ...unknown }
      this.#topics.set(key, topic)
    }
    return topic
  }

  #open({ c }: ConsoleCall, topic: Topic, version: string): Response {
    const { draining, streams } = this.options
    const stream = streams.begin(c.env)
    const encoder = new TextEncoder()
    let end = () => {}
    const start = (controller: ReadableStreamDefaultController<Uint8Array>) => {
      const send = (text: string) => {
        if (MAX_WAITING + (controller.desiredSize ?? 0) < 0) end()
        else controller.enqueue(encoder.encode(text))
      }
      const ping = setInterval(() => send(':\n\n'), PING_MS)
      const stop = () => end()
      draining.addEventListener('abort', stop)
      stream.ended.addEventListener('abort', stop)
      const leave = this.#join(topic, { version, send })
      end = () => {
        end = () => {}
        clearInterval(ping)
        draining.removeEventListener('abort', stop)
        stream.done()
        leave()
        if (c.req.raw.signal.aborted === false) controller.close()
      }
    }
    return c.body(new ReadableStream({ start, cancel: () => end() }, { highWaterMark: 0 }), 200, {
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Transfer-Encoding': 'chunked',
      'X-Accel-Buffering': 'no',
    })
  }

  /** Returns how to leave again. */
  #join(opened: Topic, viewer: Viewer): () => void {
    const topic = this.#topics.get(opened.key) ?? opened
    this.#topics.set(topic.key, topic)
    topic.viewers.add(viewer)
    topic.stopWatching ??= this.#watcher.add({ look: () => this.#lookForChange(topic) })
    viewer.send('retry: 1000\n\n')
    if (topic.shown) update([viewer], topic.shown, null)
    return () => {
      topic.viewers.delete(viewer)
      if (topic.viewers.size > 0) return
      topic.stopWatching?.()
      topic.stopWatching = null
      this.#topics.delete(topic.key)
    }
  }

  async #lookForChange(topic: Topic): Promise<void> {
    const version = await topic.readVersion()
    if (version === topic.boardVersion && performance.now() - topic.loadedAt < LOOK_ANYWAY_MS) return
    await this.#look(topic)
    topic.boardVersion = version
  }

  async #look(topic: Topic): Promise<void> {
    topic.loadedAt = performance.now()
    const board = await topic.load()
    const parts = await renderParts(board)
    const before = topic.shown
    topic.shown = { shape: shapeOf(board), version: versionOf(board, parts), parts }
    update(topic.viewers, topic.shown, before)
  }
}

/** Sends viewers the parts that they do not show yet. Those who show the same get the same text. */
function update(viewers: Iterable<Viewer>, shown: Shown, before: Shown | null): void {
  const texts = new Map<string, string>()
  for (const viewer of viewers) {
    if (viewer.version === shown.version) continue
    const text = texts.get(viewer.version) ?? formatUpdate(viewer.version, shown, before)
    texts.set(viewer.version, text)
    viewer.version = shown.version
    viewer.send(text)
  }
}

/** All parts if it is not known what the version shows. */
function formatUpdate(version: string, shown: Shown, before: Shown | null): string {
  const known = before?.version === version ? before.parts : null
  const parts = [...shown.parts].filter(([id, part]) => known?.get(id) !== part)
  const data = JSON.stringify({ shape: shown.shape, parts: Object.fromEntries(parts) })
  return `event: parts\nid: ${shown.version}\ndata: ${data}\n\n`
}
