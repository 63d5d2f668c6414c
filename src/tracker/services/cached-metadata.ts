import { AsyncMemo } from './async-memo'

/** Values that are not found may have been created since; but so soon they are not read again. */
const RENEWED_FOR_MS = 5_000

/** What a tracker knows about a project besides its items, cached for some minutes. */
export abstract class CachedMetadata<Metadata> {
  #memo: AsyncMemo<Metadata>
  #renewedAt = Number.NEGATIVE_INFINITY

  constructor(
    private readonly lifetimeMs: number,
    private readonly now: () => number,
  ) {
    this.#memo = this.#createMemo()
  }

  /** Reads it now. Throws `invalid` if the project cannot be read. */
  abstract read(signal: AbortSignal): Promise<Metadata>

  #createMemo() {
    return new AsyncMemo((signal) => this.read(signal), { ms: this.lifetimeMs, now: this.now })
  }

  get(signal: AbortSignal): Promise<Metadata> {
    return this.#memo.get(signal)
  }

  /** Reads again what may have been created since `outdated` was read. */
  async renew(outdated: Metadata, signal: AbortSignal): Promise<Metadata> {
    if ((await this.get(signal)) === outdated) this.#memo = this.#createMemo()
    return this.get(signal)
  }

  /** Finds values by what is cached, and again by what the tracker has now unless `isComplete`. */
  async find<Found>(
    find: (metadata: Metadata) => Found,
    isComplete: (found: Found) => boolean,
    signal: AbortSignal,
  ): Promise<Found> {
    const known = await this.get(signal)
    const found = find(known)
    if (isComplete(found) || this.now() - this.#renewedAt < RENEWED_FOR_MS) return found
    this.#renewedAt = this.now()
    return find(await this.renew(known, signal))
  }
}
