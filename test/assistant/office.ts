import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { loadOperation } from '../../src/catalog'
import { execute, executeStream, type Log, type Progress, type StreamEvent } from '../../src/kernel'
import { type RunningSandbox, startSandbox } from '../../src/sandbox'
import { openMemoryDatabase } from '../../src/storage'
import { migrations, openStudio } from '../../src/studio'
import { openTracker } from '../../src/tracker'
import { type StubModel, type StubSettings, startStubModel } from './stub-model'

export interface Office {
  stub: StubModel
  /** The folder of the user's settings. */
  home: string
  /** All log entries, as text. */
  logged: string[]
  progress: Progress[]
  run(operation: string, input: unknown, signal?: AbortSignal): Promise<any>
  stream(operation: string, input: unknown, signal?: AbortSignal): AsyncGenerator<StreamEvent>
  /** Writes one of the user's own templates. */
  ownTemplate(name: string, text: string | Uint8Array): Promise<void>
}

/** A workspace in memory with a stub model. Both are closed at the end of the test. */
export async function openOffice(settings: StubSettings = {}, env: NodeJS.ProcessEnv = {}): Promise<Office> {
  const stub = await startStubModel(settings)
  const home = await mkdtemp(join(tmpdir(), 'studio-assistant-'))
  const logged: string[] = []
  const note = (message: string, facts?: Record<string, unknown>) => {
    const cause = facts?.['cause']
    logged.push(JSON.stringify([message, facts, cause instanceof Error ? [cause.message, cause.stack] : null]))
  }
  const log: Log = { debug: note, info: note, warn: note, error: note }
  let sandbox: RunningSandbox | null = null
  const studio = openStudio({
    env: { STUDIO_HOME: home, STUDIO_LLM_HOST: stub.url, ...env },
    cwd: home,
    log,
    db: await openMemoryDatabase(migrations),
    openTracker: async () => {
      sandbox = await startSandbox({ file: null })
      return openTracker({ url: sandbox.url, project: sandbox.project, token: null })
    },
  })
  onTestFinished(async () => {
    await studio.close()
    await Promise.all([stub.close(), sandbox?.close()])
    await rm(home, { recursive: true, force: true })
  })
  const progress: Progress[] = []
  const context = (signal?: AbortSignal) =>
    studio.context({
      actor: { kind: 'terminal', tenant: 'default' },
      signal,
      progress: (step) => void progress.push(step),
    })
  return {
    stub,
    home,
    logged,
    progress,
    run: async (operation, input, signal) => execute(await loadOperation(operation), input, context(signal)),
    async *stream(operation, input, signal) {
      yield* executeStream(await loadOperation(operation), input, context(signal))
    },
    async ownTemplate(name, text) {
      await mkdir(join(home, 'prompts'), { recursive: true })
      await writeFile(join(home, 'prompts', name), text)
    },
  }
}

export async function collect(events: AsyncIterable<StreamEvent>): Promise<StreamEvent[]> {
  const list: StreamEvent[] = []
  for await (const event of events) list.push(event)
  return list
}
