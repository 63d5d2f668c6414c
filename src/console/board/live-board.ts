import { loadOperation } from '../../catalog'
import { readBoardVersion } from '../../docks'
import type { AppOptions } from '../../http/app-options'
import { type Actor, authorize, type DockRole, execute } from '../../kernel'
import { ChangeWatcher } from '../../kernel/work/change-watcher'
import { loadAssets } from '../assets'
import type { ConsoleCall, ConsoleHandler } from '../console-call'
import { answerWithRights } from '../forms/rights'
import { type BoardView, type BoardViewName, boardViews, shapeOf, versionOf } from './board-views'
import type { Board } from './extent'
import { PartMemo } from './part-memo'

const CHECK_MS = 400
/** Holds expire and days end without a change of the database. */
const LOOK_ANYWAY_MS = 20_000
/** A browser that hears nothing for longer than two of them says that its board is not live. */
const PING_MS = 10_000
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
  view: BoardView
  memo: PartMemo
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

/** What a caller needs for a view; the parts of the gate have the forms of its staff. */
const roleFor: Record<BoardViewName, DockRole> = { day: 'viewer', wall: 'viewer', gate: 'gate' }

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
    const id = c.req.param('code')!
    const { date, version = '', view: named } = c.req.query()
    const view = named === 'wall' || named === 'gate' ? named : 'day'
    const access = { docks: roleFor[view] }
    const actor = caller.actorFor(c.env.call, access)
    authorize({ access, effect: 'read' }, actor)
    const topic = this.#topicFor(actor, { id, ...(date ? { date } : {}) }, view)
    // An error, such as an unknown facility, is answered before the stream begins.
    if (topic.shown === null) {
      await this.#look(topic).catch((error) => {
        if (topic.viewers.size === 0) this.#topics.delete(topic.key)
        throw error
      })
    }
    return this.#open(call, topic, version)
  }

  #topicFor(actor: Actor, input: { id: string; date?: string }, view: BoardViewName): Topic {
    const key = JSON.stringify([actor.kind === 'dock' ? actor.tenantId : null, input.id, input.date, view])
    let topic = this.#topics.get(key)
    if (!topic) {
      const { studio } = this.options
      const load = async () =>
        (await execute(await loadOperation('facilities.board'), input, studio.context({ actor }))) as Board
      const readVersion = () => readBoardVersion(studio.context({ actor }), input)
      const unknown = { shown: null, stopWatching: null, boardVersion: null, loadedAt: 0 }
      topic = { key, view: boardViews[view], memo: new PartMemo(), load, readVersion, viewers: new Set(), ...unknown }
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
      const ping = setInterval(() => send(PING), PING_MS)
      const stop = () => end()
      // The event says so, because the browser would come back after any other end.
      const stopAsEnded = () => {
        send(ENDED)
        end()
      }
      draining.addEventListener('abort', stop)
      stream.ended.addEventListener('abort', stopAsEnded)
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
    viewer.send(helloText())
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
    // Its viewers have the role that the forms of the view need.
    const parts = await answerWithRights(
      async () => true,
      () => topic.view.renderParts(board, topic.memo),
    )
    const before = topic.shown
    const shape = shapeOf(board, topic.view, parts)
    topic.shown = { shape, version: versionOf(shape, parts), parts }
    update(topic.viewers, topic.shown, before)
  }
}

const PING = 'event: ping\ndata: {}\n\n'
const ENDED = 'event: ended\ndata: {}\n\n'

/** A page of another release of the console loads itself again. */
const helloText = () => `event: hello\ndata: ${JSON.stringify({ assets: loadAssets().version })}\n\n`

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
  const sent = { shape: shown.shape, version: shown.version, parts: Object.fromEntries(parts) }
  return `event: parts\ndata: ${JSON.stringify(sent)}\n\n`
}
