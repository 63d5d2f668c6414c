import { readFileSync, statSync } from 'node:fs'
import { StudioError } from '../../kernel'
import { type HeldLock, withFileLock, writeFileAtomic } from '../../storage'
import { type SandboxState, STATE_FORMAT } from './state'

/** The document on disk, which several processes may share. */
export class StateFile {
  private lastSeenVersion: string | null = null

  constructor(readonly path: string) {}

  /**
   * The state, where the file is another one than at the last call. `absent` where there is none.
   * Reads in one go, without awaiting, so that what is remembered as seen is what was read.
   */
  readIfChanged(): SandboxState | 'absent' | 'unchanged' {
    const readVersion = this.mark()
    if (readVersion === this.lastSeenVersion) return 'unchanged'
    const state = readVersion === 'absent' ? 'absent' : this.parse()
    this.lastSeenVersion = readVersion
    return state
  }

  /** The next read takes the file anew. */
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

  /** Another one for every content that was put there. */
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

/** Only studio writes the file, so its outline tells enough: its format, and that nothing is cut off. */
function isSandboxState(found: unknown): found is SandboxState {
  if (typeof found !== 'object' || found === null) return false
  const state = found as Partial<Record<keyof SandboxState, unknown>>
  return (
    state.format === STATE_FORMAT &&
    [state.people, state.items, state.links].every(Array.isArray) &&
    [state.project, state.areas, state.iterations].every((part) => typeof part === 'object' && part !== null)
  )
}
