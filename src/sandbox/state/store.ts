import type { SandboxState } from './state'
import { StateFile } from './state-file'
import { World } from './world'

/** Where a server finds its world. Changes take turns; a change that throws leaves nothing behind. */
export interface Store {
  read(): Promise<World>
  /** Answers what `work` gives, once what it changed is kept. */
  change<R>(work: (world: World) => R): Promise<R>
}

/** `file` null keeps the world in memory. `begin` gives the state where nothing is kept yet. */
export async function openStore(file: string | null, begin: () => Promise<SandboxState>): Promise<Store> {
  const store = file === null ? new MemoryStore(new World(await begin())) : new FileStore(new StateFile(file), begin)
  await store.read()
  return store
}

class MemoryStore implements Store {
  constructor(private readonly world: World) {}

  async read(): Promise<World> {
    return this.world
  }

  async change<R>(work: (world: World) => R): Promise<R> {
    return work(this.world)
  }
}

class FileStore implements Store {
  /** Set together with what the file is remembered as, so that nobody takes an old world for the one in the file. */
  private world: Promise<World> | null = null
  private turn: Promise<unknown> = Promise.resolve()

  constructor(
    private readonly file: StateFile,
    private readonly begin: () => Promise<SandboxState>,
  ) {}

  async read(): Promise<World> {
    const found = this.file.readIfChanged()
    if (found === 'absent') this.world = this.begin().then((state) => new World(state))
    else if (found !== 'unchanged') this.world = Promise.resolve(new World(found))
    return this.world!
  }

  /** Changes of one process queue up here, so that only processes meet at the lock. */
  change<R>(work: (world: World) => R): Promise<R> {
    const mine = this.turn.then(() => this.changeAlone(work))
    this.turn = mine.catch(() => {})
    return mine
  }

  private changeAlone<R>(work: (world: World) => R): Promise<R> {
    return this.file.withLock(async (save) => {
      const world = await this.read()
      const before = world.nextWatermark
      try {
        const result = work(world)
        if (world.nextWatermark !== before) await save(world.toState())
        return result
      } catch (error) {
        if (world.nextWatermark !== before) this.file.forget()
        throw error
      }
    })
  }
}
