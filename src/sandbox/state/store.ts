import type { SandboxState } from './state'
import { StateFile } from './state-file'
import { TrackerModel } from './tracker-model'

/** Where a server finds its model. Changes take turns; a change that throws leaves nothing behind. */
export interface Store {
  read(): Promise<TrackerModel>
  /** Answers what `work` gives, once what it changed is kept. */
  change<R>(work: (model: TrackerModel) => R): Promise<R>
}

/** `file` null keeps the model in memory. `begin` gives the state where nothing is kept yet. */
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
  /** Set together with what the file is remembered as, so that nobody takes an old model for the one in the file. */
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

  /** Changes of one process queue up here, so that only processes meet at the lock. */
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
