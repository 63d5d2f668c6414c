import { readFileSync, statSync } from 'node:fs'
import { StudioError } from '../../kernel'
import { type HeldLock, withFileLock, writeFileAtomic } from '../../storage'
import { type SandboxState, STATE_FORMAT } from './state'
import { TrackerModel } from './tracker-model'

/** Provides the model. Changes run one at a time, and a change that throws has no effect. */
export interface Store {
  read(): Promise<TrackerModel>
  /** Resolves with the result of `work` after its changes are saved. */
  change<R>(work: (model: TrackerModel) => R): Promise<R>
}

/** With `file` null, the model is only in memory. `begin` returns the initial state if nothing is stored yet. */
export async function openStore(file: string | null, begin: () => Promise<SandboxState>): Promise<Store> {
  const store =
    file === null ? new MemoryStore(new TrackerModel(await begin())) : new FileStore(new StateFile(file), begin)
  await store.read()
  return store
}

class MemoryStore implements Store {
  constructor(private readonly model: TrackerModel) {}

  async read(): Promise<TrackerModel> {
    return this.model
  }

  async change<R>(work: (model: TrackerModel) => R): Promise<R> {
    return work(this.model)
  }
}

class FileStore implements Store {
  /** Set together with the version of the file, so that an old model is never used for a newer file. */
  private model: Promise<TrackerModel> | null = null
  private lastChange: Promise<unknown> = Promise.resolve()

  constructor(
    private readonly file: StateFile,
    private readonly begin: () => Promise<SandboxState>,
  ) {}

  async read(): Promise<TrackerModel> {
    const found = this.file.readIfChanged()
    if (found === 'absent') this.model = this.begin().then((state) => new TrackerModel(state))
    else if (found !== 'unchanged') this.model = Promise.resolve(new TrackerModel(found))
    return this.model!
  }

  /** Queues the changes of this process, so that only other processes compete for the lock. */
  change<R>(work: (model: TrackerModel) => R): Promise<R> {
    const mine = this.lastChange.then(() => this.changeWithLock(work))
    this.lastChange = mine.catch(() => {})
    return mine
  }

  private changeWithLock<R>(work: (model: TrackerModel) => R): Promise<R> {
    return this.file.withLock(async (save) => {
      const model = await this.read()
      const before = model.nextWatermark
      try {
        const result = work(model)
        if (model.nextWatermark !== before) await save(model.toState())
        return result
      } catch (error) {
        if (model.nextWatermark !== before) this.file.forget()
        throw error
      }
    })
  }
}

/** The state on disk, which several processes can share. */
class StateFile {
  private lastSeenVersion: string | null = null

  constructor(readonly path: string) {}

  /**
   * The state if the file has changed since the last call; `absent` if there is no file.
   * Reads synchronously, so that the remembered version is the version that was read.
   */
  readIfChanged(): SandboxState | 'absent' | 'unchanged' {
    const readVersion = this.mark()
    if (readVersion === this.lastSeenVersion) return 'unchanged'
    const state = readVersion === 'absent' ? 'absent' : this.parse()
    this.lastSeenVersion = readVersion
    return state
  }

  /** Makes the next call read the file again. */
  forget(): void {
    this.lastSeenVersion = null
  }

  withLock<R>(work: (save: (state: SandboxState) => Promise<void>) => Promise<R>): Promise<R> {
    return withFileLock(`${this.path}.lock`, (lock) => work((state) => this.save(state, lock)))
  }

  private async save(state: SandboxState, lock: HeldLock): Promise<void> {
    const bytes = JSON.stringify(state)
    await lock.assertHeld()
    await writeFileAtomic(this.path, bytes)
    this.lastSeenVersion = this.mark()
  }

  /** Differs for each version of the file. */
  private mark(): string {
    try {
      const stats = statSync(this.path, { throwIfNoEntry: false })
      return stats ? `${stats.ino}:${stats.mtimeMs}:${stats.size}` : 'absent'
    } catch (error) {
      throw this.createFileError('cannot be read', error)
    }
  }

  private parse(): SandboxState {
    let found: unknown
    try {
      found = JSON.parse(readFileSync(this.path, 'utf8'))
    } catch (error) {
      throw this.createFileError(error instanceof SyntaxError ? 'is damaged' : 'cannot be read', error)
    }
    if (!isSandboxState(found)) throw this.createFileError('is not one that this version can read')
    return found
  }

  private createFileError(says: string, cause?: unknown): StudioError {
    return new StudioError('tracker_unavailable', `The sandbox's state file ${this.path} ${says}.`, {
      hint: `Delete it to start afresh: rm ${this.path}`,
      cause,
    })
  }
}

/** Checks only the format and the main parts, because only studio writes the file. */
function isSandboxState(found: unknown): found is SandboxState {
  if (typeof found !== 'object' || found === null) return false
  const state = found as Partial<Record<keyof SandboxState, unknown>>
  return (
    state.format === STATE_FORMAT &&
    [state.people, state.items, state.links].every(Array.isArray) &&
    [state.project, state.areas, state.iterations].every((part) => typeof part === 'object' && part !== null)
  )
}
