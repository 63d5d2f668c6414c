import { readFileSync, statSync } from 'node:fs'
import { StudioError } from '../../kernel'
import { isRecord } from '../../kernel/json'
import { type HeldLock, toFileVersion, withFileLock, writeFileAtomic } from '../../storage'
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
  if (file === null) {
    const model = new TrackerModel(await begin())
    return { read: async () => model, change: async (work) => work(model) }
  }
  const store = new FileStore(file, begin)
  await store.read()
  return store
}

/** The state in a file, which several processes can share. */
class FileStore implements Store {
  /** Set together with the version of the file, so that an old model is never used for a newer file. */
  private model: Promise<TrackerModel> | null = null
  private version: string | null = null
  private lastChange: Promise<unknown> = Promise.resolve()

  constructor(
    private readonly path: string,
    private readonly begin: () => Promise<SandboxState>,
  ) {}

  /** Reads the file synchronously, so that the remembered version is the version that was read. */
  async read(): Promise<TrackerModel> {
    const version = this.readVersion()
    if (this.model && version === this.version) return this.model
    const state = version === 'absent' ? this.begin() : Promise.resolve(this.parse())
    this.version = version
    this.model = state.then((found) => new TrackerModel(found))
    return this.model
  }

  /** Queues the changes of this process, so that only other processes compete for the lock. */
  change<R>(work: (model: TrackerModel) => R): Promise<R> {
    const mine = this.lastChange.then(() => this.changeWithLock(work))
    this.lastChange = mine.catch(() => {})
    return mine
  }

  private changeWithLock<R>(work: (model: TrackerModel) => R): Promise<R> {
    return withFileLock(`${this.path}.lock`, async (lock) => {
      const model = await this.read()
      const before = model.nextWatermark
      try {
        const result = work(model)
        if (model.nextWatermark !== before) await this.save(model.toState(), lock)
        return result
      } catch (error) {
        if (model.nextWatermark !== before) this.model = null
        throw error
      }
    })
  }

  private async save(state: SandboxState, lock: HeldLock): Promise<void> {
    const bytes = JSON.stringify(state)
    await lock.assertHeld()
    await writeFileAtomic(this.path, bytes)
    this.version = this.readVersion()
  }

  /** Differs for each version of the file. */
  private readVersion(): string {
    try {
      const stats = statSync(this.path, { bigint: true, throwIfNoEntry: false })
      return stats ? toFileVersion(stats) : 'absent'
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
  if (!isRecord(found) || found.format !== STATE_FORMAT) return false
  const { people, items, links, project, areas, iterations } = found
  return [people, items, links].every(Array.isArray) && [project, areas, iterations].every(isRecord)
}
