import { type Hint, StudioError } from '../../../kernel'
import { formatByteSize } from '../../../kernel/files/byte-size'
import { toSafeFileName } from '../../../kernel/files/file-name'
import { replaceRelativeImages } from '../../../rich-text'
import type { AttachmentWriter, Tracker } from '../../../tracker'
import { listItemUploads } from '../../queries'
import type { PlannedUploads } from '../../schemas'
import type { TrackerLink } from '../tracker-identity'
import { requirePart } from '../tracker-part'
import type { TrackerWorkspaceContext } from '../workspace-context'
import type { ImageFile } from './image-files'
import { sendImageOnce } from './send-image'

/** The files that texts for one item show as images. */
export class TextImages {
  /** Those that the texts show and that are not in the item yet. */
  readonly pending: readonly ImageFile[]
  readonly #ctx: TrackerWorkspaceContext
  readonly #files: ReadonlyMap<string, ImageFile>
  /** By the hash of the content. */
  readonly #urls: Map<string, string>
  readonly #again: Hint

  private constructor(
    ctx: TrackerWorkspaceContext,
    files: readonly ImageFile[],
    { texts, urls, again }: { texts: readonly string[]; urls: Map<string, string>; again: Hint },
  ) {
    this.#ctx = ctx
    this.#files = new Map(files.map((file) => [file.path, file]))
    this.#urls = urls
    this.#again = again
    const shown = new Map<string, ImageFile>()
    for (const text of texts)
      replaceRelativeImages(text, (path) => {
        const file = this.#files.get(path)
        if (file && !this.#urls.has(file.sha256)) shown.set(file.sha256, file)
        return null
      })
    this.pending = [...shown.values()]
  }

  /**
   * @param itemId null for an item that does not exist yet
   * @param again how to go on after an upload of unknown outcome
   */
  static async load(
    ctx: TrackerWorkspaceContext,
    {
      itemId,
      texts,
      files,
      again = 'Repeat the call: it looks for the file first.',
    }: { itemId: number | null; texts: readonly string[]; files: readonly ImageFile[]; again?: Hint },
  ): Promise<TextImages> {
    const isKnown = itemId !== null && files.length > 0
    const uploads = isKnown ? await ctx.db.read((tx) => listItemUploads(tx, itemId)) : []
    const urls = new Map(uploads.flatMap(({ sha256, url }) => (url === null ? [] : [[sha256, url] as const])))
    return new TextImages(ctx, files, { texts, urls, again })
  }

  /** What is sent, for the plan and for people. */
  list(): PlannedUploads {
    return this.pending.map((file) => ({ name: nameOf(file), bytes: file.bytes, sha256: file.sha256 }))
  }

  /** Throws if the tracker does not take the images, before anything is sent. */
  requireAccepted(tracker: Tracker): void {
    if (this.pending.length === 0) return
    const { maxBytes } = requireUploads(tracker)
    const tooLarge = this.pending.filter(({ bytes }) => maxBytes !== null && bytes > maxBytes)
    if (tooLarge.length > 0)
      throw new StudioError('invalid', `The tracker takes no file of more than ${formatByteSize(maxBytes!)}.`, {
        details: tooLarge.map(({ path, bytes }) => ({ path: 'files', message: `${path}: ${formatByteSize(bytes)}` })),
      })
  }

  /** The text with the name of each image that is not in the item yet, for an item that must exist before it can have files. */
  withNames(text: string): string {
    return replaceRelativeImages(text, (path) => {
      const file = this.#files.get(path)
      return file ? `*${escapeMarkdown(nameOf(file))}*` : null
    })
  }

  /** The text with the address of each image. One that is not in the item yet has an address that `send` replaces. */
  withAddresses(text: string): string {
    return replaceRelativeImages(text, (path, alt) => {
      const file = this.#files.get(path)
      return file ? `![${alt}](${encodeUrl(this.#urls.get(file.sha256) ?? standInFor(file))})` : null
    })
  }

  /** The value with the addresses of images that are in the item already. */
  withKnownAddresses<Value>(value: Value): Value {
    let result: unknown = value
    for (const file of this.#files.values()) {
      const url = this.#urls.get(file.sha256)
      if (url !== undefined) result = replaceAll(result, standInFor(file), encodeUrl(url))
    }
    return result as Value
  }

  /** The value as a person has written it, with the paths of images that are not in the item yet. */
  show<Value>(value: Value): Value {
    let shown: unknown = value
    for (const file of this.pending) shown = replaceAll(shown, standInFor(file), `./${file.path}`)
    return shown as Value
  }

  /** Attaches the images that a value shows, each once, and puts their addresses into the value. */
  async send<Value>({ tracker }: TrackerLink, itemId: number, value: Value): Promise<Value> {
    const text = JSON.stringify(value)
    let result: unknown = value
    for (const file of this.pending) {
      if (!text.includes(standInFor(file))) continue
      const request = { itemId, file, name: nameOf(file), again: this.#again }
      const url =
        this.#urls.get(file.sha256) ?? (await sendImageOnce(this.#ctx, tracker, requireUploads(tracker), request))
      this.#urls.set(file.sha256, url)
      result = replaceAll(result, standInFor(file), encodeUrl(url))
    }
    return result as Value
  }
}

function requireUploads(tracker: Tracker): AttachmentWriter {
  try {
    return requirePart(tracker, 'uploads')
  } catch (error) {
    if (!(error instanceof StudioError)) throw error
    throw error.copyWith({
      hint: 'The text shows files of its own. Store them where others can see them and write their addresses, or remove them.',
    })
  }
}

/** No server has this name, and no text contains it by chance. */
function standInFor({ sha256 }: ImageFile): string {
  return `https://attachment.invalid/${sha256}`
}

function nameOf({ path }: ImageFile): string {
  return toSafeFileName(path)
}

/** An address that ends nowhere else than it does in Markdown, and that is the same in HTML. */
function encodeUrl(url: string): string {
  return url.replace(/[()<>\s"'\\]/g, (character) => `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`)
}

function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*_[\]<>#~|!&]/g, '\\$&')
}

/** The value with another text in place of one, in all its texts. In HTML, an ampersand is written as an entity. */
function replaceAll(value: unknown, from: string, to: string, isHtml = false): unknown {
  if (typeof value === 'string') return value.replaceAll(from, () => (isHtml ? to.replaceAll('&', '&amp;') : to))
  if (Array.isArray(value)) return value.map((entry) => replaceAll(entry, from, to))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [key, replaceAll(entry, from, to, key === 'html')]),
  )
}
