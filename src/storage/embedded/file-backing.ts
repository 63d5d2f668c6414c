import { fileError } from '../files'
import { adopt } from './adopt'
import type { Backing } from './backing'
import type { Disk } from './disk'
import { Folding } from './folding'
import type { Replica } from './replica'
import type { Commit } from './statements'
import { WriteTurn } from './write-turn'

/** Of a database in files: a snapshot, and a log of what was committed since. */
export class FileBacking implements Backing {
  readonly turn: WriteTurn
  readonly #replica: Replica
  readonly #disk: Disk
  readonly #folding: Folding

  constructor(replica: Replica, { disk, foldHere }: { disk: Disk; foldHere: boolean }) {
    this.#replica = replica
    this.#disk = disk
    this.turn = new WriteTurn(`${replica.path}.lock`)
    this.#folding = new Folding(replica, { disk, turn: this.turn, foldHere })
  }

  get connection() {
    return this.#replica.connection
  }

  isUpToDate(): boolean {
    return this.#replica.isUpToDate()
  }

  async catchUp({ toWrite }: { toWrite: boolean }): Promise<void> {
    await this.#replica.catchUp({ toWrite })
    if (!toWrite || this.#replica.place !== null) return
    await adopt(this.#replica, this.#disk).catch((error) => {
      throw fileError(error, this.#replica.path)
    })
  }

  async commit(commit: Commit): Promise<boolean> {
    const counts = await this.#replica.commit(commit)
    if (counts) this.#folding.noteCommit()
    return counts
  }

  forget(): void {
    this.#replica.forget()
  }

  async close(): Promise<void> {
    await this.#folding.finish()
    this.turn.end()
    this.#replica.forget()
  }
}
