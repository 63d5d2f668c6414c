import { fileError } from '../files'
import type { CommitWatch, LogPosition } from '../log-position'
import { adopt } from './adopt'
import type { Backing } from './backing'
import { overtaken } from './damage'
import type { Disk } from './disk'
import { Folding } from './folding'
import type { Replica } from './replica'
import type { Commit } from './statements'
import { WriteTurn } from './write-turn'

/** Of a database in files: a snapshot, and a log of what was committed since. */
export class FileBacking implements Backing {
  readonly keepsStatements = true
  readonly turn: WriteTurn
  readonly #replica: Replica
  readonly #disk: Disk
  readonly #folding: Folding

  constructor(replica: Replica, options: { disk: Disk; foldHere: boolean; watch: CommitWatch | null }) {
    this.#replica = replica
    this.#disk = options.disk
    this.turn = new WriteTurn(`${replica.path}.lock`)
    this.#folding = new Folding(replica, { ...options, turn: this.turn })
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
    if (this.#replica.place === null) throw overtaken() // another process is about to replace it, or has done so again
  }

  async commit(commit: Commit): Promise<boolean> {
    const counts = await this.#replica.commit(commit)
    if (counts) this.#folding.noteCommit()
    return counts
  }

  /** The log makes a new place of each commit, its own and others'. */
  version(): object | null {
    return this.#replica.isUpToDate() ? this.#replica.place : null
  }

  position(): LogPosition | null {
    return this.#replica.isLoaded ? this.#replica.position : null
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
